/** Toasts as documented: success stays 4 s, a destructive one 8 s and is announced at once. */
import { toast } from 'sonner';

export const SUCCESS_MS = 4_000;
export const DESTRUCTIVE_MS = 8_000;
export const BRIEF_MS = 2_000;

export function toastSuccess(title: string, description?: string): void {
  toast.success(title, { description, duration: SUCCESS_MS });
}

export function toastError(title: string, description?: string): void {
  toast.error(title, { description, duration: DESTRUCTIVE_MS });
}

/** For what happens often: the next one takes the place of the one before. */
export function toastBrief(id: string, title: string, description: string): void {
  toast.success(title, { id, description, duration: BRIEF_MS });
}
