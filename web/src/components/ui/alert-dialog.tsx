/** A question that must be answered before anything else goes on. */
import { AlertDialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { dialogClasses, overlayClasses } from './dialog';
import { useFocusReturn } from './use-focus-return';

export const AlertDialog = Primitive.Root;
export const AlertDialogTrigger = Primitive.Trigger;
export const AlertDialogAction = Primitive.Action;
export const AlertDialogCancel = Primitive.Cancel;

interface AlertDialogContentProps {
  title: string;
  text: string;
  /** The way out first; on phones it stands below. */
  actions: ReactNode;
  children?: ReactNode;
}

export function AlertDialogContent({ title, text, actions, children }: AlertDialogContentProps) {
  const { remember, giveBack } = useFocusReturn();
  return (
    <Primitive.Portal>
      <Primitive.Overlay className={overlayClasses} />
      <Primitive.Content className={dialogClasses} onOpenAutoFocus={remember} onCloseAutoFocus={giveBack}>
        <Primitive.Title className="text-h2">{title}</Primitive.Title>
        <Primitive.Description className="mt-2 text-muted-foreground">{text}</Primitive.Description>
        {children && <div className="mt-5 space-y-4">{children}</div>}
        <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">{actions}</div>
      </Primitive.Content>
    </Primitive.Portal>
  );
}
