import type { ComponentProps } from 'react';
import { cn } from '@/lib/class-names';

export const controlClasses =
  'w-full min-w-0 rounded-control border border-input bg-card px-3 text-base text-foreground transition-colors placeholder:text-muted-foreground disabled:opacity-60 aria-invalid:border-destructive';

export function Input({ className, type = 'text', ...props }: ComponentProps<'input'>) {
  const dir = type === 'text' || type === 'search' ? 'auto' : undefined;
  return <input type={type} dir={dir} className={cn(controlClasses, 'h-11', className)} {...props} />;
}
