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
import type { ImporterCounts } from '../data/importers-query';
import type { ImporterFilter } from '../importer-filter';

interface ImporterToolsProps {
  /** What there is to choose from, once it is known. */
  counts: ImporterCounts | undefined;
  filter: ImporterFilter;
  onChange: (filter: Partial<ImporterFilter>) => void;
}

export function ImporterTools({ counts, filter, onChange }: ImporterToolsProps) {
  const [isSearching, setSearching] = useState(filter.search !== '');
  const toggleSearch = () => {
    setSearching(!isSearching);
    if (isSearching) onChange({ search: '' });
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
          onChange={(event) => onChange({ search: event.target.value })}
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
        result={copy.result(counts?.total ?? 0)}
        className="flex-1"
        resetLabel={liveRequests.reset}
        onReset={() => onChange({ country: '', brand: '' })}
      >
        <FilterSelect
          label={copy.country}
          value={filter.country}
          onChange={(country) => onChange({ country })}
          options={withAll(counts?.countries.map(countryName) ?? [], filter.country)}
        />
        <FilterSelect
          label={copy.brand}
          value={filter.brand}
          onChange={(brand) => onChange({ brand })}
          options={withAll(counts?.brands ?? [], filter.brand)}
        />
      </FilterButton>
    </div>
  );
}

/** Every value once, in order; the chosen one also where it is not known yet, or there no more. */
function withAll(values: readonly string[], chosen: string): [string, string][] {
  const choices = [...new Set([...values, chosen])].filter(Boolean).sort((a, b) => a.localeCompare(b));
  return [['', copy.all], ...choices.map((value): [string, string] => [value, value])];
}
