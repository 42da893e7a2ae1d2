/**
 * Toasts as documented: success stays 4 s, a destructive one 8 s and is announced at once. A success takes away the
 * failures before it, which it would contradict; where a screen has many rows, those of the same row. The place where
 * they show comes after the screen: what is said before it stands is kept for it.
 */
import type { ReactNode } from 'react';
import type { toast as Toast } from 'sonner';
import { newId } from './ids';

export const SUCCESS_MS = 4_000;
export const DESTRUCTIVE_MS = 8_000;
export const BRIEF_MS = 2_000;

type Say = (toast: typeof Toast) => void;
let place: typeof Toast | undefined;
const unsaid: Say[] = [];
const listeners = new Set<() => void>();

function say(words: Say): void {
  if (place) {
    words(place);
    return;
  }
  unsaid.push(words);
  for (const listen of listeners) listen();
}

/** From now on toasts show there; what was said before comes first. */
export function openToasts(toast: typeof Toast): void {
  place = toast;
  for (const words of unsaid.splice(0)) words(toast);
}

/** Whether anything has been said. */
export function areToastsAsked(): boolean {
  return place !== undefined || unsaid.length > 0;
}

/** Answers how to stop listening. */
export function onToastsAsked(listen: () => void): () => void {
  listeners.add(listen);
  return () => void listeners.delete(listen);
}

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
const failures = new Map<string, string | undefined>();

/** `about` names the row, where others of the screen may fail and succeed at the same time. */
export function toastSuccess(title: string, description?: string, about?: string): void {
  for (const [id, row] of failures) if (row === about) withdraw(id);
  say((toast) => toast.success(sentenceTitle(title, description), { description, duration: SUCCESS_MS }));
}

export function toastError(title: string, description?: string, about?: string): void {
  const id = newId();
  const forget = () => void failures.delete(id);
  const options = { id, description, duration: DESTRUCTIVE_MS, onDismiss: forget, onAutoClose: forget };
  say((toast) => toast.error(sentenceTitle(title, description), options));
  failures.set(id, about);
}

function withdraw(id: string): void {
  failures.delete(id);
  say((toast) => toast.dismiss(id));
}

/** For what happens often: the next one takes the place of the one before. */
export function toastBrief(id: string, title: string, description: string): void {
  say((toast) => toast.success(sentenceTitle(title, description), { id, description, duration: BRIEF_MS }));
}
