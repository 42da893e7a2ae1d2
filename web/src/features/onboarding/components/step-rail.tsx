/** The parts of the form, which of them are filled in, and where to go on. On a phone their headings are enough. */
import { Check } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { onboarding } from '@/copy/onboarding';
import { cn } from '@/lib/class-names';
import { agentProfileSchema, type OnboardingValues } from '../schema';

const copy = onboarding.steps;

export interface RailProps {
  withFee: boolean;
  hasDocuments: boolean;
  /** The fee is here, waived, or the agent said that it is paid. */
  isFeeTold: boolean;
}

export function StepRail({ withFee, hasDocuments, isFeeTold }: RailProps) {
  const values = useWatch<OnboardingValues>();
  const isFeeDone = isFeeTold || values.method === 'card' || values.isPaid === true;
  const steps = [
    { id: 'profile', label: copy.profile, isDone: agentProfileSchema.safeParse(values).success },
    { id: 'documents', label: copy.documents, isDone: hasDocuments },
    ...(withFee ? [{ id: 'payment', label: copy.payment, isDone: isFeeDone }] : []),
  ];
  const current = steps.findIndex(({ isDone }) => !isDone);
  return (
    <nav aria-label={copy.label} className="hidden lg:block">
      <ol>
        {steps.map((step, index) => (
          <li
            key={step.id}
            aria-current={index === current ? 'step' : undefined}
            className="group relative pb-2 last:pb-0"
          >
            <span
              aria-hidden
              className="absolute top-9 bottom-[-0.25rem] left-3.5 border-l group-last:hidden"
            />
            <a
              href={`#${step.id}`}
              className="flex min-h-11 items-center gap-3 font-semibold underline-offset-4 hover:underline"
            >
              <Mark number={index + 1} isDone={step.isDone} isCurrent={index === current} />
              {step.label}
              {step.isDone && <span className="sr-only">, {copy.done}</span>}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Mark({ number, isDone, isCurrent }: { number: number; isDone: boolean; isCurrent: boolean }) {
  return (
    <span
      aria-hidden
      className={cn(
        'grid size-7 place-items-center rounded-full border border-input bg-card text-small figures',
        isCurrent && 'border-2 border-primary text-primary',
        isDone && 'border-transparent bg-primary text-primary-foreground',
      )}
    >
      {isDone ? <Check className="size-4" strokeWidth={3} /> : number}
    </span>
  );
}
