import { FilterSelect } from '@/components/filter-bar';
import { FilterButton } from '@/components/filter-button';
import { Input } from '@/components/ui/input';
import { liveRequests as copy, requests } from '@/copy/requests';
import { makes, conditions } from '@/data/request-options';
import { activeFilters, budgetRanges, everyRequest, type LiveRequestFilter } from '../live-request-filter';
import { urgencyLevels } from '../request-filter';

interface LiveRequestFiltersProps {
  search: string;
  onSearch: (text: string) => void;
  filter: LiveRequestFilter;
  onFilter: (filter: LiveRequestFilter) => void;
  /** How many requests fit. */
  found: number;
}

// ARF-003
export function LiveRequestFilters(props: LiveRequestFiltersProps) {
  const { search, onSearch, filter, onFilter, found } = props;
  return (
    <div role="search" className="flex gap-3">
      <Input
        type="search"
        aria-label={copy.search}
        placeholder={copy.searchPlaceholder}
        value={search}
        onChange={(event) => onSearch(event.target.value)}
      />
      <FilterButton
        label={copy.filter}
        active={activeFilters(filter)}
        result={requests.result(found)}
        resetLabel={copy.reset}
        onReset={() => onFilter(everyRequest)}
      >
        <FilterSelect
          label={copy.urgency}
          value={filter.urgency}
          onChange={(urgency) => onFilter({ ...filter, urgency })}
          options={urgencyLevels.map((level) => [level, requests.levels[level]] as const)}
        />
        <FilterSelect
          label={copy.make}
          value={filter.make}
          onChange={(make) => onFilter({ ...filter, make })}
          options={withAll(makes)}
        />
        <FilterSelect
          label={copy.condition}
          value={filter.condition}
          onChange={(condition) => onFilter({ ...filter, condition })}
          options={withAll(conditions)}
        />
        <FilterSelect
          label={copy.budget}
          value={filter.budget}
          onChange={(budget) => onFilter({ ...filter, budget })}
          options={budgetRanges.map((range) => [range, copy.budgets[range]] as const)}
        />
      </FilterButton>
    </div>
  );
}

function withAll(values: readonly string[]): [string, string][] {
  return [['', copy.all], ...values.map((value): [string, string] => [value, value])];
}
