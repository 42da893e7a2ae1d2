import type { ComponentProps } from 'react';
import { cn } from '@/lib/class-names';

export function Card({ className, ...props }: ComponentProps<'section'>) {
  return <section className={cn('rounded-card border bg-card', className)} {...props} />;
}

/** The title beside the content where there is room, as on a printed form; the content is one element. */
export function FormCard({ className, ...props }: ComponentProps<'section'>) {
  return (
    <Card
      className={cn(
        'xl:grid xl:grid-cols-[16rem_minmax(0,1fr)] xl:[&>header]:items-start xl:[&>header]:border-r xl:[&>header]:border-b-0 xl:[&>header]:py-5',
        className,
      )}
      {...props}
    />
  );
}

export function CardHeader({ className, ...props }: ComponentProps<'header'>) {
  return (
    <header
      className={cn('flex min-h-14 items-center justify-between gap-4 border-b px-4 py-2 sm:px-5', className)}
      {...props}
    />
  );
}

export function CardTitle({ className, ...props }: ComponentProps<'h2'>) {
  return <h2 className={cn('text-h3', className)} {...props} />;
}

export function CardContent({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('p-4 sm:p-5', className)} {...props} />;
}
