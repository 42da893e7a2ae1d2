/** Says what arrived while the reader was further down, and brings it on request. */
import { ArrowUp } from 'lucide-react';
import { feed } from '@/copy/posts';

export function ArrivalNotice({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div role="status" className="pointer-events-none sticky top-16 z-10 flex h-0 justify-center">
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="pointer-events-auto inline-flex h-11 items-center gap-2 rounded-control bg-accent px-5 font-semibold text-accent-foreground shadow-overlay"
        >
          <ArrowUp aria-hidden className="size-4" />
          {feed.newOffers(count)}
        </button>
      )}
    </div>
  );
}
