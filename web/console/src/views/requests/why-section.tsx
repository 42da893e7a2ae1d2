/** Why it was refused, or why it found nothing: the sentence, and what each policy says of the rows. */
import { useQuery } from '@tanstack/react-query';
import { Check, Minus, X } from 'lucide-react';
import { useState } from 'react';
import { cn } from '@/lib/class-names';
import type { BranchId } from '../../dev/api';
import { whyQuery } from '../../dev/queries';
import type { Explanation, Part, PolicyVerdict, WholeRequest } from '../../dev/types';
import { Button } from '../../parts/button';
import { Section } from '../../parts/section';
import { rowsOf } from './rows';

const REFUSED = '42501';

export function WhySection({ branch, request }: { branch: BranchId; request: WholeRequest }) {
  const question = questionOf(request);
  const isRefused = request.data.code === REFUSED;
  const [isAsked, setAsked] = useState(isRefused);
  const why = useQuery({ ...whyQuery(branch, request.id), enabled: isAsked && question !== undefined });
  if (question === undefined) return null;
  return (
    <Section title="Why">
      {!isAsked ? (
        <Button variant="primary" onClick={() => setAsked(true)}>
          {question}
        </Button>
      ) : why.isPending ? (
        <p role="status" className="text-muted-foreground">
          Asking each policy …
        </p>
      ) : why.error ? (
        <p role="alert" className="text-destructive">
          {why.error.message}
        </p>
      ) : (
        <Told explanation={why.data} />
      )}
    </Section>
  );
}

/** Refusals and empty answers have a reason; all others speak for themselves. */
function questionOf({ data }: WholeRequest): string | undefined {
  if (data.code === REFUSED) return 'Why was this refused?';
  const isEmpty = data.room === 'rest' && data.status < 300 && rowsOf(data.response)?.length === 0;
  const isUntold = data.room === 'rest' && data.status === 204 && ['PATCH', 'DELETE'].includes(data.method);
  if (isEmpty) return 'Why is this empty?';
  return isUntold ? 'Which rows did it reach?' : undefined;
}

function Told({ explanation }: { explanation: Explanation }) {
  return (
    <>
      <p className={cn('text-base', explanation.allowed === false && 'text-destructive')}>
        {explanation.sentence}
      </p>
      {explanation.privileges.missing.length > 0 && (
        <ul className="mt-2">
          {explanation.privileges.missing.map((missing) => (
            <li key={missing} className="code">
              Missing: {missing}
            </li>
          ))}
        </ul>
      )}
      {stepsToTell(explanation).map((step) => (
        <div key={`${step.rule} ${step.on}`} className="mt-3">
          <h3 className="font-semibold">
            {step.rule} of {step.on} rows:{' '}
            {step.allowed
              ? 'lets through'
              : step.allowed === null
                ? 'cannot be told'
                : 'does not let through'}
          </h3>
          <ul className="mt-1 grid gap-2">
            {step.policies.map((policy) => (
              <Policy key={policy.name} policy={policy} />
            ))}
            {step.policies.length === 0 && (
              <li className="text-muted-foreground">No policy for this command.</li>
            )}
          </ul>
        </div>
      ))}
      {explanation.notes.map((note) => (
        <p key={note} className="mt-2 text-muted-foreground">
          {note}
        </p>
      ))}
    </>
  );
}

/** What policies say of no rows at all says nothing. */
function stepsToTell({ steps, rows, allowed }: Explanation) {
  return rows.matching === 0 && allowed !== false ? [] : steps;
}

function Policy({ policy }: { policy: PolicyVerdict }) {
  return (
    <li className="rounded-control border px-3 py-2">
      <p className="flex flex-wrap items-center gap-2">
        <Verdict verdict={policy.applies ? policy.verdict : null} />
        <span className="font-semibold">{policy.name}</span>
        {!policy.permissive && <span className="text-muted-foreground">restrictive</span>}
        {!policy.applies && <span className="text-muted-foreground">for other roles</span>}
      </p>
      {policy.error && <p className="code mt-1 text-destructive">{policy.error}</p>}
      {policy.applies && policy.parts.length > 0 && (
        <ul className="mt-1 grid gap-1 pl-6 max-sm:pl-0">
          {policy.parts.map((part) => (
            <PartLine key={part.text} part={part} />
          ))}
        </ul>
      )}
    </li>
  );
}

function PartLine({ part: { text, verdict, values } }: { part: Part }) {
  return (
    <li>
      <span className="flex items-start gap-2">
        <Verdict verdict={verdict} />
        <code className="code min-w-0 wrap-anywhere">{text}</code>
      </span>
      {verdict !== true &&
        Object.entries(values).map(([side, value]) => (
          <span key={side} className="code block pl-16 wrap-anywhere text-muted-foreground">
            {side} is {value ?? 'null'}
          </span>
        ))}
    </li>
  );
}

/** A sign and a word, never colour alone. */
function Verdict({ verdict }: { verdict: boolean | null }) {
  const [Icon, word, tone] =
    verdict === null
      ? [Minus, 'not asked', 'text-muted-foreground']
      : verdict
        ? [Check, 'true', 'text-success']
        : [X, 'false', 'text-destructive'];
  return (
    <span className={cn('inline-flex min-w-14 shrink-0 items-center gap-1', tone)}>
      <Icon aria-hidden className="size-3.5" />
      {word}
    </span>
  );
}
