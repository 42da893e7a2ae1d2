/** What stands in the landing page's header: where its menus lead, and who is signed in. */
import { dashboardPath, isUserType, paths } from '@/config/paths';
import { landing } from '@/copy/landing';

export const anchors = [
  ['#how-it-works', landing.nav.howItWorks],
  ['#for-importers', landing.nav.forImporters],
  ['#for-agents', landing.nav.forAgents],
] as const;

export interface Visitor {
  name: string;
  dashboard: { to: string; label: string } | null;
}

interface Person {
  email: string | undefined;
  fullName: string | null | undefined;
  userType: string | null | undefined;
  isAdmin: boolean;
}

export function describeVisitor({ email, fullName, userType, isAdmin }: Person): Visitor {
  const { dashboards } = landing.header;
  const name = fullName || email || '';
  if (isAdmin) return { name, dashboard: { to: paths.admin.root, label: dashboards.admin } };
  const to = dashboardPath(userType);
  return { name, dashboard: to && isUserType(userType) ? { to, label: dashboards[userType] } : null };
}
