import { FilterBar, FilterSelect } from '@/components/filter-bar';
import { directory as copy } from '@/copy/directory';
import type { AgentFilter } from '../data/agents-query';

const CITIES = ['Tokyo', 'Osaka', 'Nagoya', 'Kyoto', 'Fukuoka'];
const SPECIALTIES = ['Toyota', 'Honda', 'Luxury', 'Sports', 'Electric', 'Commercial'];

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
        options={options(copy.all, CITIES)}
      />
      <FilterSelect
        label={copy.specialty}
        value={value.specialty}
        onChange={(specialty) => onChange({ ...value, specialty })}
        options={options(copy.allSpecialties, SPECIALTIES)}
      />
    </FilterBar>
  );
}

function options(all: string, values: readonly string[]): [string, string][] {
  return [['', all], ...values.map((value): [string, string] => [value, value])];
}
