import { Progress as ProgressPrimitive } from 'radix-ui';

/** `part` goes from 0 to 1. */
export function Progress({ label, part }: { label: string; part: number }) {
  const percent = Math.round(part * 100);
  return (
    <ProgressPrimitive.Root
      aria-label={label}
      value={percent}
      className="h-1.5 w-full overflow-hidden rounded-control bg-muted"
    >
      <ProgressPrimitive.Indicator className="h-full bg-primary" style={{ width: `${percent}%` }} />
    </ProgressPrimitive.Root>
  );
}
