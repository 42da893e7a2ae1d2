import { Skeleton } from '@/components/ui/skeleton';

/** The geometry of the feed: its chips and the first cards. */
export function OfferFeedSkeleton() {
  return (
    <div aria-busy className="space-y-5">
      <Skeleton className="h-11 sm:h-9 sm:w-96" />
      <OfferCardSkeleton />
      <OfferCardSkeleton />
    </div>
  );
}

function OfferCardSkeleton() {
  return (
    <div aria-hidden className="overflow-hidden rounded-card border bg-card">
      <div className="flex items-center gap-3 border-b px-5 py-2">
        <Skeleton className="size-10" />
        <div className="space-y-2">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-3 w-28" />
        </div>
      </div>
      <div className="grid sm:grid-cols-[minmax(0,15rem)_minmax(0,1fr)]">
        <Skeleton className="aspect-4/3 w-full rounded-none" />
        <div className="space-y-3 p-5">
          <Skeleton className="h-5 w-48" />
          <Skeleton className="h-7 w-32" />
          <Skeleton className="h-5 w-64 max-w-full" />
          <Skeleton className="h-10 w-full" />
        </div>
      </div>
      <div className="border-t px-5 py-2.5">
        <Skeleton className="h-20 w-full sm:h-9" />
      </div>
    </div>
  );
}
