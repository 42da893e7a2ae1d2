import type { ComponentProps } from 'react';
import { cn } from '@/lib/class-names';

/** A grey place for something that is on its way; appears only when the wait becomes noticeable. */
export function Skeleton({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      aria-hidden
      className={cn('animate-[appear_150ms_ease-out_150ms_both] rounded-control bg-muted', className)}
      {...props}
    />
  );
}
