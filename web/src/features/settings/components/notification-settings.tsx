import { useQuery } from '@tanstack/react-query';
import { QueryView } from '@/components/query-view';
import type { UserType } from '@/config/paths';
import { errors } from '@/copy/errors';
import { settings } from '@/copy/settings';
import { messageOf } from '@/lib/errors';
import { toastError } from '@/lib/toast';
import {
  defaultPreferences,
  preferencesQueryOptions,
  useSavePreferences,
  type Preferences,
} from '../data/preferences';
import { MutedMails } from './muted-mails';
import { SettingsCard } from './settings-card';
import { SwitchRow } from './switch-row';

const copy = settings.notifications;

type Row = readonly [name: keyof Preferences, label: string, hint: string];

const SHARED: readonly Row[] = [
  ['email', copy.email, copy.emailHint],
  ['sms', copy.sms, copy.smsHint],
];
const OWN: Record<UserType, Row> = {
  agent: ['new_request_alerts', copy.newRequests, copy.newRequestsHint],
  importer: ['agent_proposal_alerts', copy.proposals, copy.proposalsHint],
};

// AGS-003, CO2-010
export function NotificationSettings({ userId, area }: { userId: string; area: UserType }) {
  const query = useQuery(preferencesQueryOptions(userId));
  const { mutate } = useSavePreferences(userId);
  const onError = (failure: Error) => toastError(errors.title, messageOf(failure, copy.failed));
  return (
    <SettingsCard anchor="notifications" title={copy.title}>
      <QueryView query={query} error={copy.readFailed} pending={<Rows area={area} />}>
        {(preferences) => (
          <>
            <Rows area={area} preferences={preferences} onChange={(change) => mutate(change, { onError })} />
            <MutedMails userId={userId} muted={preferences.muted_mails ?? []} />
          </>
        )}
      </QueryView>
    </SettingsCard>
  );
}

interface RowsProps {
  area: UserType;
  /** Unknown yet: then the switches wait. */
  preferences?: Preferences;
  onChange?: (change: Partial<Preferences>) => void;
}

function Rows({ area, preferences, onChange }: RowsProps) {
  return (
    <div className="divide-y">
      {[...SHARED, OWN[area]].map(([name, label, hint]) => (
        <SwitchRow
          key={name}
          label={label}
          hint={hint}
          checked={(preferences ?? defaultPreferences)[name]}
          disabled={preferences === undefined}
          onChange={(checked) => onChange?.({ [name]: checked })}
        />
      ))}
    </div>
  );
}
