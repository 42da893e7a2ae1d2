/** Remembers over a reload that somebody came by the link of a recovery mail; gone with the session (`sb-`). */
const KEY = 'sb-recovery';

export function markRecovery(userId: string): void {
  localStorage.setItem(KEY, userId);
}

export function unmarkRecovery(): void {
  localStorage.removeItem(KEY);
}

export function isMarkedRecovery(userId: string): boolean {
  return localStorage.getItem(KEY) === userId;
}
