/** How much of a limited text is used: spoken only when the limit is near. */
import { app } from '@/copy/app';
import { cn } from '@/lib/class-names';

const ANNOUNCED_FROM = 0.9;

interface TextCounterProps {
  length: number;
  limit: number;
  className?: string;
}

export function TextCounter({ length, limit, className }: TextCounterProps) {
  return (
    <>
      <p
        aria-hidden
        className={cn(
          'mt-1 text-right text-small text-muted-foreground figures',
          length > limit && 'font-semibold text-destructive',
          className,
        )}
      >
        {app.count(length, limit)}
      </p>
      <p role="status" className="sr-only">
        {length >= limit * ANNOUNCED_FROM && app.charactersLeft(limit - length)}
      </p>
    </>
  );
}
