/**
 * Toasts as documented: success stays 4 s, a destructive one 8 s and is announced at once. A success takes away the
 * failures before it, which it would contradict; where a screen has many rows, those of the same row.
 */
import type { ReactNode } from 'react';
import { toast } from 'sonner';

export const SUCCESS_MS = 4_000;
export const DESTRUCTIVE_MS = 8_000;
export const BRIEF_MS = 2_000;

/** Two lines to the eye, one sentence to everything that reads text: 'Title: Description'. */
function sentenceTitle(title: string, description: string | undefined): ReactNode {
  if (!description) return title;
  const joint = /[.!?]$/.test(title) ? ' ' : ': ';
  return (
    <>
      {title}
      <span className="sr-only">{joint}</span>
    </>
  );
}

/** The failures that still stand, and the row each is about. */
const failures = new Map<string | number, string | undefined>();

/** `about` names the row, where others of the screen may fail and succeed at the same time. */
export function toastSuccess(title: string, description?: string, about?: string): void {
  for (const [id, row] of failures) if (row === about) withdraw(id);
  toast.success(sentenceTitle(title, description), { description, duration: SUCCESS_MS });
}

export function toastError(title: string, description?: string, about?: string): void {
  const forget = ({ id }: { id: string | number }) => void failures.delete(id);
  const id = toast.error(sentenceTitle(title, description), {
    description,
    duration: DESTRUCTIVE_MS,
    onDismiss: forget,
    onAutoClose: forget,
  });
  failures.set(id, about);
}

function withdraw(id: string | number): void {
  failures.delete(id);
  toast.dismiss(id);
}

/** For what happens often: the next one takes the place of the one before. */
export function toastBrief(id: string, title: string, description: string): void {
  toast.success(sentenceTitle(title, description), { id, description, duration: BRIEF_MS });
}
