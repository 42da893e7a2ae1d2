/** Questions to the team on a page of their own: mails and the notice of a suspension lead here. */
import { SupportCards } from '@/widgets/support/support-cards';
import { BackLink } from '@/components/back-link';
import { PageHeading } from '@/components/page-heading';
import { paths, type UserType } from '@/config/paths';
import { settings } from '@/copy/settings';
import { support as copy } from '@/copy/support';

export default function SupportScreen({ area }: { area: UserType }) {
  return (
    <div className="max-w-[61rem] space-y-6">
      <header>
        <BackLink to={paths[area].settings}>{settings.title}</BackLink>
        <PageHeading>{copy.pageTitle}</PageHeading>
        <p className="mt-1 text-muted-foreground">{copy.pageLead}</p>
      </header>
      <SupportCards area={area} />
    </div>
  );
}
