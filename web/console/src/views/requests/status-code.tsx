import { cn } from '@/lib/class-names';

/** Red for what was refused or failed; the figure says it, too. */
export function StatusCode({ status }: { status: number }) {
  const tone = status >= 400 ? 'text-destructive' : status >= 300 ? 'text-warning' : 'text-success';
  return <span className={cn('code w-8 shrink-0 font-semibold', tone)}>{status}</span>;
}
