import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PageHeading } from '@/components/page-heading';
import { QueryView } from '@/components/query-view';
import { Badge } from '@/components/ui/badge';
import { CardContent, CardHeader, CardTitle, FormCard } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { env } from '@/config/env';
import { adminSettings as copy } from '@/copy/back-office-settings';
import { ModerationSettings } from '@/features/administration/settings/components/moderation-settings';
import { PaymentSettings } from '@/features/administration/settings/components/payment-settings';
import { settingsQueryOptions } from '@/features/administration/settings/data/settings';
import { PasswordForm } from '@/features/settings/components/password-form';
import { demoModeQueryOptions } from '@/lib/public-config-query';

export default function AdminSettingsScreen() {
  const query = useQuery(settingsQueryOptions());
  const { data: isDemo } = useQuery(demoModeQueryOptions());
  return (
    <div className="max-w-[61rem] space-y-6">
      <header>
        <PageHeading>{copy.title}</PageHeading>
        <p className="mt-1 text-muted-foreground">{copy.lead}</p>
      </header>
      <QueryView
        query={query}
        error={copy.failed}
        pending={<Skeleton className="h-96 w-full rounded-card" />}
      >
        {(settings) => (
          <>
            <ModerationSettings settings={settings} />
            <PaymentSettings settings={settings} />
            <Section id="demo-title" title={copy.demo.title}>
              <Badge tone={isDemo ? 'warning' : 'neutral'}>{isDemo ? copy.demo.on : copy.demo.off}</Badge>
              <p className="mt-2 text-small text-muted-foreground">{copy.demo.hint}</p>
            </Section>
          </>
        )}
      </QueryView>
      <Section id="administrator-title" title={copy.administrator.title}>
        <dl>
          <dt className="text-label text-muted-foreground">{copy.administrator.address}</dt>
          <dd className="break-words">{env.adminEmail}</dd>
        </dl>
        <p className="mt-2 text-small text-muted-foreground">{copy.administrator.hint}</p>
      </Section>
      <PasswordForm />
    </div>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <FormCard aria-labelledby={id}>
      <CardHeader>
        <CardTitle id={id}>{title}</CardTitle>
      </CardHeader>
      <CardContent>{children}</CardContent>
    </FormCard>
  );
}
