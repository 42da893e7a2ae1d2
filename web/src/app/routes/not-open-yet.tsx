/** An address that is documented and not built: it says so, and shows no invented data. */
import { Link, useMatches } from 'react-router-dom';
import { CarSilhouette } from '@/components/car-drawing/car-drawing';
import { PageHeading } from '@/components/page-heading';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { dashboardPath, paths } from '@/config/paths';
import { notOpenYet } from '@/copy/app';
import { useAuth } from '@/lib/auth/auth-context';

export default function NotOpenYetScreen() {
  const dashboard = dashboardPath(useAuth().profile?.user_type);
  return (
    <div className="mx-auto grid max-w-3xl items-center gap-8 px-4 py-10 sm:grid-cols-2 sm:py-20">
      <div>
        <Badge tone="tag">{notOpenYet.eyebrow}</Badge>
        <PageHeading className="mt-4">{useTitle()}</PageHeading>
        <p className="mt-3 text-muted-foreground">{notOpenYet.text}</p>
        <Button asChild className="mt-6">
          <Link to={dashboard ?? paths.home}>{dashboard ? notOpenYet.dashboard : notOpenYet.home}</Link>
        </Button>
      </div>
      <div
        aria-hidden
        className="relative aspect-4/3 overflow-hidden rounded-card border bg-card ruled text-input"
      >
        <CarSilhouette body="van" />
      </div>
    </div>
  );
}

function useTitle(): string {
  const handle = useMatches().at(-1)?.handle as { title: string } | undefined;
  return handle?.title ?? '';
}
