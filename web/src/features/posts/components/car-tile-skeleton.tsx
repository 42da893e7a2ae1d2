import { Skeleton } from '@/components/ui/skeleton';

/** The places of search, filters, tabs and count above the tiles, so that these stand still when those come. */
export function CarToolsSkeleton() {
  return (
    <div aria-busy className="pt-5">
      <Skeleton className="h-11" />
      <Skeleton className="mt-3 h-11 sm:hidden" />
      <Skeleton className="mt-5 h-11" />
      <Skeleton className="my-4 h-5 w-36" />
    </div>
  );
}

export function CarTilesSkeleton() {
  return (
    <div aria-busy className="grid gap-5 sm:grid-cols-2 xl:grid-cols-3">
      {[1, 2, 3].map((tile) => (
        <div key={tile} aria-hidden className="overflow-hidden rounded-card border bg-card">
          <Skeleton className="aspect-4/3 w-full rounded-none" />
          <div className="space-y-3 p-4">
            <Skeleton className="h-6 w-40" />
            <Skeleton className="h-7 w-28" />
            <Skeleton className="h-28 w-full" />
            <Skeleton className="h-9 w-full" />
          </div>
        </div>
      ))}
    </div>
  );
}
