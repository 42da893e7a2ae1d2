import { PageHeading } from '@/components/page-heading';
import { adminMails as copy } from '@/copy/back-office-mails';
import { MailList } from '@/features/administration/mails/components/mail-list';

export default function AdminMailsScreen() {
  return (
    <div className="space-y-6">
      <header>
        <PageHeading>{copy.title}</PageHeading>
        <p className="mt-1 text-muted-foreground">{copy.lead}</p>
      </header>
      <MailList />
    </div>
  );
}
