import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { requests as copy } from '@/copy/requests';
import { urgencyLevels, type RequestFilter, type UrgencyLevel } from '../request-filter';

interface RequestFiltersProps {
  value: RequestFilter;
  onChange: (filter: RequestFilter) => void;
  countries: readonly string[];
}

export function RequestFilters({ value, onChange, countries }: RequestFiltersProps) {
  return (
    <div role="search" className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_12rem_9rem]">
      <Field label={copy.search}>
        {(control) => (
          <Input
            {...control}
            type="search"
            value={value.search}
            onChange={(event) => onChange({ ...value, search: event.target.value })}
          />
        )}
      </Field>
      <Field label={copy.country}>
        {(control) => (
          <Select
            {...control}
            value={value.country}
            onChange={(event) => onChange({ ...value, country: event.target.value })}
          >
            <option value="">{copy.all}</option>
            {countries.map((country) => (
              <option key={country}>{country}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={copy.urgency}>
        {(control) => (
          <Select
            {...control}
            value={value.urgency}
            onChange={(event) => onChange({ ...value, urgency: event.target.value as UrgencyLevel })}
          >
            {urgencyLevels.map((level) => (
              <option key={level} value={level}>
                {copy.levels[level]}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}
