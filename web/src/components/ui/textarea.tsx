import type { ComponentProps } from 'react';
import { cn } from '@/lib/class-names';
import { controlClasses } from './input';

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      dir="auto"
      className={cn(controlClasses, 'field-sizing-content max-h-80 min-h-28 py-2', className)}
      {...props}
    />
  );
}
