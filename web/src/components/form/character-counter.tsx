/** How much of a limited text is used: always in sight, spoken only when the limit is near. */
import { useFormContext, useWatch } from 'react-hook-form';
import { app } from '@/copy/app';
import { cn } from '@/lib/class-names';

const ANNOUNCED_FROM = 0.9;

export function CharacterCounter({ name, limit }: { name: string; limit: number }) {
  const { control } = useFormContext<Record<string, string>>();
  const length = useWatch({ control, name }).trim().length;
  return (
    <>
      <p
        aria-hidden
        className={cn(
          'mt-1 text-right text-small text-muted-foreground figures',
          length > limit && 'text-destructive',
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
