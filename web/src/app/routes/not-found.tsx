import { Link } from 'react-router-dom';
import { CarSilhouette } from '@/components/car-drawing/car-figures';
import { PageHeading } from '@/components/page-heading';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { notFound } from '@/copy/app';
import { NoticePage } from '@/features/accounts/components/account-parts';

export default function NotFoundScreen() {
  return (
    <NoticePage>
      <div className="grid items-center gap-6 sm:grid-cols-[1fr_14rem] sm:gap-10">
        <div>
          <PageHeading title={notFound.title} className="text-display figures">
            {notFound.code}
          </PageHeading>
          <p className="mt-1 text-lg text-muted-foreground">{notFound.title}</p>
          <Button asChild className="mt-6">
            <Link to={paths.home}>{notFound.home}</Link>
          </Button>
        </div>
        <div
          aria-hidden
          className="relative order-first aspect-4/3 rounded-control border bg-background ruled text-input sm:order-none"
        >
          <CarSilhouette body="truck" />
        </div>
      </div>
    </NoticePage>
  );
}
