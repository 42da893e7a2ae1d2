/** The administrator is one configured address, and while signed in leaves a mark in the browser. */
const KEY = 'adminData';
const ROLE = 'Super Admin';

export function isAdmin(email: string | undefined, adminEmail: string): boolean {
  return adminEmail !== '' && email?.trim().toLowerCase() === adminEmail.toLowerCase();
}

/** Nothing reads the mark to decide what is allowed. */
export function storeAdminData(email: string, now: Date): void {
  localStorage.setItem(KEY, JSON.stringify({ email, role: ROLE, loginAt: now.toISOString() }));
}

export function removeAdminData(): void {
  localStorage.removeItem(KEY);
}
