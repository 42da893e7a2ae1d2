import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/class-names';

const badgeVariants = cva(
  'inline-flex min-h-6 items-center gap-1 rounded-control px-2 py-0.5 text-small font-semibold whitespace-nowrap',
  {
    variants: {
      tone: {
        neutral: 'bg-muted text-muted-foreground',
        success: 'bg-success-tint text-success',
        warning: 'bg-warning-tint text-warning',
        danger: 'border border-destructive bg-card text-destructive',
        verified: 'bg-verified-tint text-verified',
        tag: 'min-w-9 justify-center rounded-none bg-accent px-3 text-accent-foreground cut-corner',
      },
    },
    defaultVariants: { tone: 'neutral' },
  },
);

export type BadgeTone = NonNullable<VariantProps<typeof badgeVariants>['tone']>;

export function Badge({
  className,
  tone,
  ...props
}: ComponentProps<'span'> & VariantProps<typeof badgeVariants>) {
  return <span dir="auto" className={cn(badgeVariants({ tone }), className)} {...props} />;
}
