import { Button } from '@/components/ui/button';
import { feed } from '@/copy/posts';
import { cn } from '@/lib/class-names';
import { feedFilters, type FeedFilter } from '../feed-search';

interface FeedFilterChipsProps {
  value: FeedFilter;
  onChange: (filter: FeedFilter) => void;
}

export function FeedFilterChips({ value, onChange }: FeedFilterChipsProps) {
  return (
    <div
      role="group"
      aria-label={feed.filterLabel}
      className="-mx-4 flex gap-2 overflow-x-auto px-4 pb-1 sm:mx-0 sm:px-0 sm:pb-0"
    >
      {feedFilters.map((filter) => (
        <Button
          key={filter}
          size="small"
          variant={filter === value ? 'secondary' : 'outline'}
          aria-pressed={filter === value}
          onClick={() => onChange(filter)}
          className={cn('min-w-12 shrink-0', filter === value && 'border-primary')}
        >
          {feed.filters[filter]}
        </Button>
      ))}
    </div>
  );
}
