/** What the landing page's header says about a signed-in person. */
import { dashboardPath, isUserType, paths } from '@/config/paths';
import { landing } from '@/copy/landing';

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
