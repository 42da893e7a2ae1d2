import { Skeleton } from '@/components/ui/skeleton';

export function RequestsSkeleton() {
  return (
    <div aria-busy className="space-y-4">
      <Skeleton className="h-11" />
      <Skeleton className="h-48 rounded-card" />
      <Skeleton className="h-48 rounded-card" />
    </div>
  );
}
