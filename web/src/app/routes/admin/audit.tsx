import { PageHeading } from '@/components/page-heading';
import { audit as copy } from '@/copy/back-office-audit';
import { AuditList } from '@/features/administration/audit/components/audit-list';

export default function AdminAuditScreen() {
  return (
    <div className="space-y-6">
      <header>
        <PageHeading>{copy.title}</PageHeading>
        <p className="mt-1 text-muted-foreground">{copy.lead}</p>
      </header>
      <AuditList />
    </div>
  );
}
