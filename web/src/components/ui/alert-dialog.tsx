/** A question that must be answered before anything else goes on. */
import { AlertDialog as Primitive } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';

export const AlertDialog = Primitive.Root;
export const AlertDialogTrigger = Primitive.Trigger;
export const AlertDialogCancel = Primitive.Cancel;

interface AlertDialogContentProps extends Omit<ComponentProps<typeof Primitive.Content>, 'title'> {
  title: string;
  text: string;
  actions: ReactNode;
}

export function AlertDialogContent({ title, text, actions, children, ...props }: AlertDialogContentProps) {
  return (
    <Primitive.Portal>
      <Primitive.Overlay className="fixed inset-0 z-50 bg-foreground/40 dark:bg-background/70" />
      <Primitive.Content
        className="fixed inset-x-4 bottom-4 z-50 mx-auto max-h-[calc(100dvh-2rem)] max-w-md space-y-4 overflow-y-auto rounded-card border bg-card p-5 shadow-overlay sm:top-1/2 sm:bottom-auto sm:-translate-y-1/2"
        {...props}
      >
        <Primitive.Title className="text-h3">{title}</Primitive.Title>
        <Primitive.Description className="text-muted-foreground">{text}</Primitive.Description>
        {children}
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{actions}</div>
      </Primitive.Content>
    </Primitive.Portal>
  );
}
