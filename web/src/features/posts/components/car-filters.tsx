import { FilterBar, FilterSelect } from '@/components/filter-bar';
import { FilterButton } from '@/components/filter-button';
import { availableCars as copy } from '@/copy/cars';
import { bodyLabels, carFilters } from '@/copy/offers';
import { useIsPhone } from '@/hooks/use-media-query';
import { carTabs, filterMakes, priceRanges, type CarFilter } from '../car-search';
import { bodyCodes, facetNames, offerChoices } from '../offer-choices';

interface CarFiltersProps {
  value: CarFilter;
  onChange: (filter: Partial<CarFilter>) => void;
  found: number;
}

const makeOptions = [['', copy.all], ...filterMakes.map((make) => [make, make] as const)] as const;
const tabOptions = carTabs.map((tab) => [tab, copy.tabs[tab]] as const);
const priceOptions = priceRanges.map((range) => [range, copy.prices[range]] as const);

const any = ['', carFilters.any] as const;
const labelled = <Name extends string>(names: readonly Name[], labels: Readonly<Record<Name, string>>) => [
  any,
  ...names.map((name) => [name, labels[name]] as const),
];

/** What stands behind the button: the facts of the car. */
const factOptions = {
  body: labelled(bodyCodes, bodyLabels),
  fuel: labelled(facetNames.fuel, carFilters.names.fuel),
  gearbox: labelled(facetNames.gearbox, carFilters.names.gearbox),
  drive: labelled(facetNames.drive, carFilters.names.drive),
  condition: [any, ...offerChoices.condition.map((name) => [name, name] as const)],
  colour: labelled(facetNames.colour, carFilters.names.colour),
} as const;
type Fact = keyof typeof factOptions;
const facts = Object.keys(factOptions) as Fact[];
const noFacts = Object.fromEntries(facts.map((fact) => [fact, ''])) as Pick<CarFilter, Fact>;

const activeFacts = (value: CarFilter) => facts.filter((fact) => value[fact] !== '').length;

export function CarFilters({ value, onChange, found }: CarFiltersProps) {
  const isPhone = useIsPhone();
  const active = [value.make !== '', value.tab !== 'all', value.price !== 'any'].filter(Boolean).length;
  return (
    <FilterBar
      searchLabel={copy.search}
      search={value.search}
      onSearch={(search) => onChange({ search, exact: false })}
      active={active + activeFacts(value)}
      result={copy.result(found)}
    >
      <FilterSelect
        label={copy.make}
        value={value.make}
        onChange={(make) => onChange({ make })}
        options={makeOptions}
      />
      <FilterSelect
        label={copy.availability}
        value={value.tab}
        onChange={(tab) => onChange({ tab })}
        options={tabOptions}
      />
      <FilterSelect
        label={copy.price}
        value={value.price}
        onChange={(price) => onChange({ price })}
        options={priceOptions}
      />
      {isPhone ? (
        <FactFilters value={value} onChange={onChange} />
      ) : (
        <FilterButton
          label={carFilters.more}
          active={activeFacts(value)}
          result={copy.result(found)}
          resetLabel={carFilters.reset}
          onReset={() => onChange(noFacts)}
        >
          <FactFilters value={value} onChange={onChange} />
        </FilterButton>
      )}
    </FilterBar>
  );
}

function FactFilters({ value, onChange }: Pick<CarFiltersProps, 'value' | 'onChange'>) {
  return (
    <div className="grid grid-cols-2 gap-4 [&>*]:w-full">
      {facts.map((fact) => (
        <FilterSelect<string>
          key={fact}
          label={carFilters[fact]}
          value={value[fact]}
          onChange={(name) => onChange({ [fact]: name })}
          options={factOptions[fact]}
        />
      ))}
    </div>
  );
}
