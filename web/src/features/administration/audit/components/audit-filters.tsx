/** By whom, and from when until when. */
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { audit as copy } from '@/copy/back-office-audit';
import type { AuditState, ChangeAudit } from '../use-audit-list';

interface AuditFiltersProps {
  state: AuditState;
  onChange: ChangeAudit;
  administrators: { id: string; email: string | null }[];
}

export function AuditFilters({ state, onChange, administrators }: AuditFiltersProps) {
  const isBackwards = state.from !== '' && state.to !== '' && state.from > state.to;
  return (
    <>
      <Field label={copy.who} className="basis-full sm:basis-56">
        {(control) => (
          <Select {...control} value={state.who} onChange={(event) => onChange({ who: event.target.value })}>
            <option value="">{copy.anybody}</option>
            {administrators.map(({ id, email }) => (
              <option key={id} value={id}>
                {email ?? copy.unknown}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {(['from', 'to'] as const).map((end) => (
        <Field
          key={end}
          label={copy[end]}
          error={end === 'to' && isBackwards ? copy.invalid : undefined}
          className="min-w-36 flex-1 sm:flex-none"
        >
          {(control) => (
            <Input
              {...control}
              type="date"
              value={state[end]}
              onChange={(event) => onChange({ [end]: event.target.value })}
            />
          )}
        </Field>
      ))}
    </>
  );
}
