import { FilterBar, FilterSelect } from '@/components/filter-bar';
import { directory as copy } from '@/copy/directory';
import { agentCities, agentSpecialties, type AgentFilter } from '../data/agents-query';

interface AgentFiltersProps {
  value: AgentFilter;
  onChange: (filter: AgentFilter) => void;
  found: number;
}

export function AgentFilters({ value, onChange, found }: AgentFiltersProps) {
  return (
    <FilterBar
      searchLabel={copy.search}
      search={value.search}
      onSearch={(search) => onChange({ ...value, search })}
      active={[value.city, value.specialty].filter(Boolean).length}
      result={copy.result(found)}
    >
      <FilterSelect
        label={copy.location}
        value={value.city}
        onChange={(city) => onChange({ ...value, city })}
        options={options(copy.all, agentCities)}
      />
      <FilterSelect
        label={copy.specialty}
        value={value.specialty}
        onChange={(specialty) => onChange({ ...value, specialty })}
        options={options(copy.allSpecialties, agentSpecialties)}
      />
    </FilterBar>
  );
}

function options<Value extends string>(all: string, values: readonly Value[]): ['' | Value, string][] {
  return [['', all], ...values.map((value): [Value, string] => [value, value])];
}
