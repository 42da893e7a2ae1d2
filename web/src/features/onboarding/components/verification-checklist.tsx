/** The steps of a verification, each with its state in words and its date or reason. */
import { Check, CircleAlert, Clock } from 'lucide-react';
import { verification as copy } from '@/copy/verification';
import { cn } from '@/lib/class-names';
import type { Step, StepState } from '../standing';

const MARKS: Record<StepState, string> = {
  done: 'border-transparent bg-success-tint text-success',
  current: 'border-input bg-card text-foreground',
  open: 'border-dashed border-input bg-card text-muted-foreground',
  problem: 'border-destructive bg-card text-destructive',
};

export function VerificationChecklist({ steps }: { steps: Step[] }) {
  return (
    <ol aria-label={copy.steps.label}>
      {steps.map((step) => (
        <li key={step.title} className="group relative flex gap-3 pb-5 last:pb-0">
          <span aria-hidden className="absolute top-7 bottom-0 left-3.5 border-l group-last:hidden" />
          <Mark state={step.state} />
          <div className="min-w-0 pt-0.5">
            <p className="font-semibold">
              {step.title}
              <span className="sr-only">: {copy.state[step.state]}</span>
            </p>
            <p
              className={cn(
                'text-small break-words whitespace-pre-line text-muted-foreground',
                step.state === 'problem' && 'text-destructive',
              )}
            >
              {step.text}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}

function Mark({ state }: { state: StepState }) {
  const Icon = { done: Check, current: Clock, open: null, problem: CircleAlert }[state];
  return (
    <span
      aria-hidden
      className={cn('grid size-7 shrink-0 place-items-center rounded-full border', MARKS[state])}
    >
      {Icon && <Icon className="size-4" />}
    </span>
  );
}
