/** Toasts as documented: success stays 4 s, a destructive one 8 s and is announced at once. */
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

export function toastSuccess(title: string, description?: string): void {
  toast.success(sentenceTitle(title, description), { description, duration: SUCCESS_MS });
}

export function toastError(title: string, description?: string): void {
  toast.error(sentenceTitle(title, description), { description, duration: DESTRUCTIVE_MS });
}

/** For what happens often: the next one takes the place of the one before. */
export function toastBrief(id: string, title: string, description: string): void {
  toast.success(sentenceTitle(title, description), { id, description, duration: BRIEF_MS });
}
