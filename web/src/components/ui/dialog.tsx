/** A question or a small form in the middle of the page. */
import { Dialog as DialogPrimitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { X } from 'lucide-react';
import { app } from '@/copy/app';
import { useFocusReturn } from './use-focus-return';

export const Dialog = DialogPrimitive.Root;
export const DialogTrigger = DialogPrimitive.Trigger;
export const DialogClose = DialogPrimitive.Close;

/** As high as any sheet: a dialog that a sheet opened dims it too. */
export const overlayClasses = 'fixed inset-0 z-50 bg-foreground/40 dark:bg-background/70';
export const dialogClasses =
  'fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-card border bg-card p-5 shadow-overlay sm:p-6';

interface DialogContentProps {
  title: string;
  text?: string | undefined;
  children: ReactNode;
}

export function DialogContent({ title, text, children }: DialogContentProps) {
  const { remember, giveBack } = useFocusReturn();
  return (
    <DialogPrimitive.Portal>
      <DialogPrimitive.Overlay className={overlayClasses} />
      <DialogPrimitive.Content
        className={dialogClasses}
        onOpenAutoFocus={remember}
        onCloseAutoFocus={giveBack}
        {...(!text && { 'aria-describedby': undefined })}
      >
        <DialogPrimitive.Title className="pr-10 text-h2">{title}</DialogPrimitive.Title>
        {text && (
          <DialogPrimitive.Description className="mt-1 text-muted-foreground">
            {text}
          </DialogPrimitive.Description>
        )}
        <div className="mt-5">{children}</div>
        <DialogPrimitive.Close
          aria-label={app.dismiss}
          className="absolute top-3 right-3 grid size-11 place-items-center rounded-control hover:bg-muted"
        >
          <X aria-hidden className="size-5" />
        </DialogPrimitive.Close>
      </DialogPrimitive.Content>
    </DialogPrimitive.Portal>
  );
}
