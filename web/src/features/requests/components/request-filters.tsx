import { FilterBar, FilterSelect } from '@/components/filter-bar';
import { requests as copy } from '@/copy/requests';
import { urgencyLevels, type RequestFilter } from '../request-filter';

interface RequestFiltersProps {
  value: RequestFilter;
  onChange: (filter: RequestFilter) => void;
  countries: readonly string[];
  /** How many requests pass. */
  found: number;
}

export function RequestFilters({ value, onChange, countries, found }: RequestFiltersProps) {
  const active = [value.country !== '', value.urgency !== 'all'].filter(Boolean).length;
  return (
    <FilterBar
      searchLabel={copy.search}
      search={value.search}
      onSearch={(search) => onChange({ ...value, search })}
      active={active}
      result={copy.result(found)}
    >
      <FilterSelect
        label={copy.country}
        value={value.country}
        onChange={(country) => onChange({ ...value, country })}
        options={[['', copy.all], ...countries.map((country) => [country, country] as const)]}
      />
      <FilterSelect
        label={copy.urgency}
        value={value.urgency}
        onChange={(urgency) => onChange({ ...value, urgency })}
        options={urgencyLevels.map((level) => [level, copy.levels[level]] as const)}
      />
    </FilterBar>
  );
}
