import { cva, type VariantProps } from 'class-variance-authority';
import { Slot } from 'radix-ui';
import { isValidElement, type ComponentProps, type PropsWithChildren, type ReactNode } from 'react';
import { useIsSuspended } from '@/lib/auth/auth-context';
import { cn } from '@/lib/class-names';

const buttonVariants = cva(
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-control border font-sans font-semibold whitespace-nowrap transition-colors disabled:pointer-events-none disabled:opacity-55 aria-busy:pointer-events-none [&_svg]:size-4',
  {
    variants: {
      variant: {
        primary: 'border-transparent bg-primary text-primary-foreground hover:bg-primary/90',
        secondary: 'border-transparent bg-secondary text-secondary-foreground hover:bg-border',
        outline: 'border-input bg-card text-foreground hover:bg-muted',
        ghost: 'border-transparent text-foreground hover:bg-muted',
        destructive: 'border-transparent bg-destructive text-destructive-foreground hover:bg-destructive/90',
        link: 'border-transparent text-primary underline underline-offset-4 hover:decoration-2',
      },
      size: {
        default: 'min-h-11 px-5 py-2 text-base sm:min-h-10',
        small: 'min-h-11 px-3 py-1 text-small sm:min-h-9',
        large: 'min-h-12 px-6 py-3 text-base',
        icon: 'size-11 sm:size-10',
        inline: 'touch-target min-h-0 px-0',
      },
    },
    defaultVariants: { variant: 'primary', size: 'default' },
  },
);

interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonVariants> {
  asChild?: boolean;
  /** It changes something others see, or leads to where one does: whoever is suspended cannot press it, and the notice on top says why. */
  writes?: boolean;
}

export function Button({
  className,
  variant,
  size,
  asChild = false,
  writes = false,
  disabled = false,
  type = 'button',
  children,
  ...props
}: ButtonProps) {
  const classes = cn(buttonVariants({ variant, size }), className);
  const isFrozen = useIsSuspended() && writes;
  if (asChild && !isFrozen) {
    return (
      <Slot.Root className={classes} {...props}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button type={type} className={classes} disabled={disabled || isFrozen} {...props}>
      {asChild ? contentOf(children) : children}
    </button>
  );
}

/** What a link says, without the link. */
function contentOf(link: ReactNode): ReactNode {
  return isValidElement<PropsWithChildren>(link) ? link.props.children : link;
}
