import { Skeleton } from '@/components/ui/skeleton';

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
