/** Says what arrived while the reader was further down, and brings it on request. */
import { ArrowUp } from 'lucide-react';
import type { RefObject } from 'react';
import { cn } from '@/lib/class-names';
import type { Row } from '@/lib/lists/pages';
import type { PagedList } from '@/lib/lists/use-paged-list';

interface ArrivalNoticeProps<Item extends Row> {
  list: PagedList<Item>;
  label: (count: number) => string;
  /** What scrolls, where that is not the window. */
  box?: RefObject<HTMLElement | null>;
  className?: string;
}

export function ArrivalNotice<Item extends Row>({ list, label, box, className }: ArrivalNoticeProps<Item>) {
  const onShow = () => {
    list.showArrivals();
    (box?.current ?? window).scrollTo({ top: 0 });
  };
  return (
    <div
      role="status"
      className={cn(
        'pointer-events-none sticky z-10 flex h-0 justify-center',
        box ? 'top-3' : 'top-16',
        className,
      )}
    >
      {list.arrivals > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="pointer-events-auto inline-flex h-11 items-center gap-2 rounded-control bg-accent px-5 font-semibold text-accent-foreground shadow-overlay"
        >
          <ArrowUp aria-hidden className="size-4" />
          {label(list.arrivals)}
        </button>
      )}
    </div>
  );
}
