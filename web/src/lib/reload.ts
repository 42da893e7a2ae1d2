/** Loads the page anew and still says what happened: a toast would not outlive the page it was shown on. */
import { toastSuccess } from './toast';

const KEY = 'minato.toast-after-reload';

export function reloadWithToast(title: string, text: string): void {
  sessionStorage.setItem(KEY, JSON.stringify([title, text]));
  window.location.reload();
}

/** Shows what the last page left to say, once. */
export function showToastAfterReload(): void {
  const stored = sessionStorage.getItem(KEY);
  if (stored === null) return;
  sessionStorage.removeItem(KEY);
  const [title, text] = JSON.parse(stored) as [string, string];
  toastSuccess(title, text);
}
