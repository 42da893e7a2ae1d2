/** Where a person goes after the sign-in: to the page a guard sent them away from, or to the dashboard. */
import { dashboardPath, isUserType, paths } from '@/config/paths';

/** `state` is what the guard handed over. Pages of the other kind of account are not gone back to. */
export function pageAfterSignIn(state: unknown, userType: string | null): string {
  const from = (state as { from?: unknown } | null)?.from;
  const isOwn = typeof from === 'string' && isUserType(userType) && isOpenTo(userType, from);
  return isOwn ? from : (dashboardPath(userType) ?? paths.home);
}

const PUBLIC_PROFILE = /^\/(agent|importer)\/profile\/[^/]+/;

function isOpenTo(userType: string, path: string): boolean {
  return path.startsWith(`/${userType}/`) || PUBLIC_PROFILE.test(path);
}
