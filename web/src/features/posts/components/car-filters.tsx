import { FilterBar, FilterSelect } from '@/components/filter-bar';
import { availableCars as copy } from '@/copy/cars';
import { carTabs, filterMakes, priceRanges, type CarFilter } from '../car-filter';

interface CarFiltersProps {
  value: CarFilter;
  onChange: (filter: CarFilter) => void;
  found: number;
}

const makeOptions = [['', copy.all], ...filterMakes.map((make) => [make, make] as const)] as const;
const tabOptions = carTabs.map((tab) => [tab, copy.tabs[tab]] as const);
const priceOptions = priceRanges.map((range) => [range, copy.prices[range]] as const);

export function CarFilters({ value, onChange, found }: CarFiltersProps) {
  const active = [value.make !== '', value.availability !== 'all', value.price !== 'any'].filter(
    Boolean,
  ).length;
  return (
    <FilterBar
      searchLabel={copy.search}
      search={value.search}
      onSearch={(search) => onChange({ ...value, search })}
      active={active}
      result={copy.result(found)}
    >
      <FilterSelect
        label={copy.make}
        value={value.make}
        onChange={(make) => onChange({ ...value, make })}
        options={makeOptions}
      />
      <FilterSelect
        label={copy.availability}
        value={value.availability}
        onChange={(availability) => onChange({ ...value, availability })}
        options={tabOptions}
      />
      <FilterSelect
        label={copy.price}
        value={value.price}
        onChange={(price) => onChange({ ...value, price })}
        options={priceOptions}
      />
    </FilterBar>
  );
}
