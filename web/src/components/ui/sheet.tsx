/**
 * A panel that slides over the page: the phone's navigation and details of a row. The title of a long one stays, and
 * the way out with it.
 */
import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useRef, type ComponentProps, type ReactNode, type Ref } from 'react';
import { cn } from '@/lib/class-names';
import { useFocusReturn } from './use-focus-return';

export const Sheet = Dialog.Root;
export const SheetTrigger = Dialog.Trigger;
export const SheetClose = Dialog.Close;

interface SheetContentProps extends ComponentProps<typeof Dialog.Content> {
  title: string;
  closeLabel: string;
  side?: 'left' | 'right' | 'bottom' | 'full';
  /** The way out is where the focus starts; else it is whatever comes first. */
  startsAtClose?: boolean;
  children: ReactNode;
}

const SIDES = {
  left: 'inset-y-0 left-0 w-72 max-w-[85vw] border-r data-[state=open]:animate-[slide-in-left_180ms_ease-out]',
  right:
    'inset-y-0 right-0 w-full max-w-xl border-l data-[state=open]:animate-[slide-in-right_180ms_ease-out]',
  bottom:
    'inset-x-0 bottom-0 max-h-[85dvh] rounded-t-card border-t data-[state=open]:animate-[slide-in-bottom_180ms_ease-out]',
  full: 'inset-0',
};

export function SheetContent({
  title,
  closeLabel,
  side = 'left',
  startsAtClose = false,
  className,
  children,
  ...props
}: SheetContentProps) {
  const close = useRef<HTMLButtonElement>(null);
  const { remember, giveBack } = useFocusReturn();
  const start = (event: Event) => {
    remember();
    if (!startsAtClose) return;
    event.preventDefault();
    close.current?.focus();
  };
  return (
    <Dialog.Portal>
      <Dialog.Overlay className="fixed inset-0 z-40 bg-foreground/40 dark:bg-background/70" />
      <Dialog.Content
        aria-describedby={undefined}
        onOpenAutoFocus={start}
        onCloseAutoFocus={giveBack}
        className={cn(
          'fixed z-50 flex scroll-pt-18 flex-col overflow-y-auto overscroll-contain bg-card shadow-overlay',
          SIDES[side],
          className,
        )}
        {...props}
      >
        {side === 'right' || side === 'bottom' ? (
          <div className="sticky top-0 z-20 flex shrink-0 items-center justify-between gap-3 border-b bg-card py-1.5 pr-2 pl-4 sm:pl-5">
            <Dialog.Title dir="auto" className="min-w-0 py-2 break-words text-h3">
              {title}
            </Dialog.Title>
            <CloseButton ref={close} label={closeLabel} />
          </div>
        ) : (
          <Dialog.Title className="sr-only">{title}</Dialog.Title>
        )}
        {children}
        {(side === 'left' || side === 'full') && (
          <CloseButton ref={close} label={closeLabel} className="absolute top-1.5 right-2" />
        )}
      </Dialog.Content>
    </Dialog.Portal>
  );
}

interface CloseButtonProps {
  ref: Ref<HTMLButtonElement>;
  label: string;
  className?: string;
}

function CloseButton({ ref, label, className }: CloseButtonProps) {
  return (
    <Dialog.Close
      ref={ref}
      aria-label={label}
      className={cn('grid size-11 shrink-0 place-items-center rounded-control hover:bg-muted', className)}
    >
      <X aria-hidden className="size-5" />
    </Dialog.Close>
  );
}
