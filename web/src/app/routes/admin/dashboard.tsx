/** The overview says which sections are there and which are not: no figure stands here that nothing computes. */
import { Link } from 'react-router-dom';
import { PageHeading } from '@/components/page-heading';
import { Badge } from '@/components/ui/badge';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card';
import { paths } from '@/config/paths';
import { adminDashboard as copy } from '@/copy/admin';
import { navigation } from '@/copy/navigation';

const SECTIONS = ['agents', 'importers', 'requests', 'messages', 'analytics', 'settings'] as const;

export default function AdminDashboardScreen() {
  return (
    <div className="mx-auto max-w-3xl space-y-6">
      <header>
        <PageHeading>{copy.title}</PageHeading>
        <p className="mt-1 text-muted-foreground">{copy.lead}</p>
      </header>
      <Card aria-labelledby="admin-sections">
        <CardHeader>
          <CardTitle id="admin-sections">{copy.sections}</CardTitle>
        </CardHeader>
        <ul className="divide-y">
          {SECTIONS.map((section) => (
            <li key={section} className="flex min-h-14 items-center justify-between gap-4 px-4 sm:px-5">
              <Link
                to={paths.admin[section]}
                className="inline-flex min-h-11 items-center font-semibold text-primary underline underline-offset-4 hover:decoration-2"
              >
                {navigation.admin[section]}
              </Link>
              <Badge>{copy.notOpen}</Badge>
            </li>
          ))}
        </ul>
        <CardContent className="border-t text-small text-muted-foreground">{copy.note}</CardContent>
      </Card>
    </div>
  );
}
