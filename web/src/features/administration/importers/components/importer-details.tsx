/** One importer: contact, trade, the kind of account, and suspension. */
import { useState } from 'react';
import { NewTabLink } from '@/components/new-tab-link';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { BusyButton } from '@/components/ui/busy-button';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { paths } from '@/config/paths';
import { adminAgents, adminImporters as copy, decision } from '@/copy/back-office';
import { useDecision } from '@/features/administration/decisions/data/decisions';
import { AccountStatusButton } from '@/features/administration/members/components/account-status-button';
import {
  Facts,
  RecordDetails,
  SheetSection,
} from '@/features/administration/records/components/record-sheet';
import { countryName } from '@/lib/country';
import { formatDay, formatPrice } from '@/lib/format';
import type { ImporterRow } from '../importer-records';

export function ImporterDetails({ importer }: { importer: ImporterRow }) {
  const { sheet } = adminAgents;
  return (
    <RecordDetails
      subtitle={<ImporterStatus status={importer.status} />}
      actions={<AccountStatusButton member={importer} isSuspended={importer.status === 'suspended'} />}
    >
      <SheetSection title={copy.sheet.contact}>
        <Facts
          rows={[
            [sheet.email, importer.email, 'wide'],
            [sheet.phone, importer.phone],
            [sheet.place, [importer.city, countryName(importer.country)].filter(Boolean).join(', ')],
            [sheet.company, importer.company_name],
            [sheet.joined, formatDay(importer.created_at)],
            [
              copy.sheet.lastSeen,
              importer.last_sign_in_at ? formatDay(importer.last_sign_in_at) : copy.sheet.never,
            ],
            ...(importer.suspension_reason ? [[sheet.suspension, importer.suspension_reason] as const] : []),
          ]}
        />
        <p className="text-small text-muted-foreground">{copy.sheet.inactiveHint}</p>
        <NewTabLink
          to={paths.importer.publicProfile(importer.user_id)}
          className="touch-target inline-flex items-center gap-1.5 font-semibold text-primary underline underline-offset-4"
        >
          {sheet.publicProfile}
        </NewTabLink>
      </SheetSection>
      <SheetSection title={copy.sheet.trade}>
        <Facts
          rows={[
            [copy.columns.requests, importer.requests],
            [copy.columns.success, `${importer.success_rate}%`],
            [copy.columns.spent, formatPrice(importer.spent)],
            [copy.columns.account, copy.accountType[importer.account_type]],
          ]}
        />
      </SheetSection>
      <AccountType importer={importer} />
    </RecordDetails>
  );
}

function AccountType({ importer }: { importer: ImporterRow }) {
  const [type, setType] = useState(importer.account_type);
  const { decide, isPending } = useDecision();
  const save = () => decide({ act: 'type', user: importer.user_id, type }, copy.sheet.saved);
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Field label={copy.sheet.accountType} className="min-w-40 flex-1">
        {(control) => (
          <Select
            {...control}
            value={type}
            onChange={(event) => setType(event.target.value as ImporterRow['account_type'])}
          >
            {Object.entries(copy.accountType).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <BusyButton
        variant="outline"
        busy={isPending}
        busyText={decision.busy}
        disabled={type === importer.account_type}
        onClick={() => void save()}
      >
        {copy.sheet.save}
      </BusyButton>
    </div>
  );
}

const IMPORTER_TONES: Record<ImporterRow['status'], BadgeTone> = {
  active: 'success',
  inactive: 'neutral',
  suspended: 'danger',
};

export function ImporterStatus({ status }: { status: ImporterRow['status'] }) {
  return <Badge tone={IMPORTER_TONES[status]}>{copy.status[status]}</Badge>;
}
