import { Button } from '@/components/ui/button';
import { feed } from '@/copy/posts';
import { feedFilters, type FeedFilter } from '../feed-filter';

interface FeedFilterChipsProps {
  value: FeedFilter;
  onChange: (filter: FeedFilter) => void;
}

export function FeedFilterChips({ value, onChange }: FeedFilterChipsProps) {
  return (
    <div role="group" aria-label={feed.filterLabel} className="grid grid-cols-2 gap-2 sm:flex">
      {feedFilters.map((filter) => (
        <Button
          key={filter}
          size="small"
          variant={filter === value ? 'secondary' : 'outline'}
          aria-pressed={filter === value}
          onClick={() => onChange(filter)}
          className={filter === value ? 'border-primary' : undefined}
        >
          {feed.filters[filter]}
        </Button>
      ))}
    </div>
  );
}
