import { Link } from 'react-router-dom';
import { PageHeading } from '@/components/page-heading';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { notFound } from '@/copy/app';

export default function NotFoundScreen() {
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-3 px-4 text-center">
      <PageHeading title={notFound.title} className="text-display figures">
        {notFound.code}
      </PageHeading>
      <p className="text-lg text-muted-foreground">{notFound.title}</p>
      <Button asChild className="mt-4">
        <Link to={paths.home}>{notFound.home}</Link>
      </Button>
    </main>
  );
}
