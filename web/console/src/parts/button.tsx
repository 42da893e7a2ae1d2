import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/class-names';

const variants = cva(
  'touch-target inline-flex min-h-7 shrink-0 items-center justify-center gap-1.5 rounded-control border px-2 text-[0.8125rem] font-semibold whitespace-nowrap transition-colors disabled:pointer-events-none disabled:opacity-55 [&_svg]:size-3.5',
  {
    variants: {
      variant: {
        outline: 'border-input bg-card text-foreground hover:bg-muted',
        ghost: 'border-transparent text-foreground hover:bg-muted',
        primary: 'border-transparent bg-primary text-primary-foreground hover:bg-primary/90',
        destructive: 'border-destructive bg-card text-destructive hover:bg-muted',
        altered: 'border-transparent bg-accent text-accent-foreground hover:bg-accent/85',
      },
    },
    defaultVariants: { variant: 'outline' },
  },
);

export function Button({
  variant,
  className,
  type = 'button',
  ...props
}: ComponentProps<'button'> & VariantProps<typeof variants>) {
  return <button type={type} className={cn(variants({ variant }), className)} {...props} />;
}
