/** Search and filter of the importer feed: the search field appears on request. */
import { Search } from 'lucide-react';
import { useState } from 'react';
import { FilterSelect } from '@/components/filter-bar';
import { FilterButton } from '@/components/filter-button';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { importerFeed as copy } from '@/copy/directory';
import { liveRequests } from '@/copy/requests';
import { countryName } from '@/lib/country';
import { choicesOf, everyImporter, type Importer, type ImporterFilter } from '../importer-filter';

interface ImporterToolsProps {
  importers: readonly Importer[];
  filter: ImporterFilter;
  onChange: (filter: ImporterFilter) => void;
  /** How many importers fit. */
  found: number;
}

export function ImporterTools({ importers, filter, onChange, found }: ImporterToolsProps) {
  const [isSearching, setSearching] = useState(false);
  const toggleSearch = () => {
    setSearching(!isSearching);
    if (isSearching) onChange({ ...filter, search: '' });
  };
  return (
    <div role="search" className="flex w-full flex-wrap justify-end gap-3 sm:w-auto">
      {isSearching && (
        <Input
          type="search"
          autoFocus
          aria-label={copy.searchLabel}
          placeholder={copy.searchLabel}
          value={filter.search}
          onChange={(event) => onChange({ ...filter, search: event.target.value })}
          className="order-last w-full sm:order-none sm:h-10 sm:w-80"
        />
      )}
      <Button
        variant={isSearching ? 'secondary' : 'outline'}
        aria-expanded={isSearching}
        onClick={toggleSearch}
        className="flex-1 sm:flex-none"
      >
        <Search aria-hidden />
        {copy.search}
      </Button>
      <FilterButton
        label={copy.filter}
        active={[filter.country, filter.brand].filter(Boolean).length}
        result={copy.result(found)}
        className="flex-1"
        resetLabel={liveRequests.reset}
        onReset={() => onChange({ ...everyImporter, search: filter.search })}
      >
        <FilterSelect
          label={copy.country}
          value={filter.country}
          onChange={(country) => onChange({ ...filter, country })}
          options={withAll(importers.map(({ country }) => countryName(country)))}
        />
        <FilterSelect
          label={copy.brand}
          value={filter.brand}
          onChange={(brand) => onChange({ ...filter, brand })}
          options={withAll(importers.flatMap((importer) => importer.interested_car_brands ?? []))}
        />
      </FilterButton>
    </div>
  );
}

function withAll(values: readonly string[]): [string, string][] {
  return [['', copy.all], ...choicesOf(values).map((value): [string, string] => [value, value])];
}
