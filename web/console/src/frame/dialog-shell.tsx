/** A dialog that is open as long as it is drawn. */
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { X } from 'lucide-react';
import { cn } from '@/lib/class-names';

interface DialogShellProps {
  title: string;
  /** The title is for screen readers alone. */
  bare?: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function DialogShell({ title, bare = false, onClose, children }: DialogShellProps) {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-foreground/40 dark:bg-background/70" />
        <Dialog.Content
          aria-describedby={undefined}
          className={cn(
            'fixed top-[12vh] left-1/2 z-50 max-h-[76vh] w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 overflow-y-auto rounded-card border bg-card shadow-overlay',
            !bare && 'p-4',
          )}
        >
          <Dialog.Title className={bare ? 'sr-only' : 'text-h3'}>{title}</Dialog.Title>
          {children}
          {!bare && (
            <Dialog.Close
              aria-label="Close"
              className="absolute top-2 right-2 grid size-9 place-items-center rounded-control hover:bg-muted"
            >
              <X aria-hidden className="size-4" />
            </Dialog.Close>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
