import { useQuery } from '@tanstack/react-query';
import { ErrorPanel } from '@/components/error-panel';
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
  const { data, error, refetch } = useQuery(preferencesQueryOptions(userId));
  const { mutate } = useSavePreferences(userId);
  const preferences = data ?? defaultPreferences;
  const onError = (failure: Error) => toastError(errors.title, messageOf(failure, copy.failed));
  return (
    <SettingsCard anchor="notifications" title={copy.title}>
      {error ? (
        <ErrorPanel error={error} fallback={copy.readFailed} onRetry={() => void refetch()} />
      ) : (
        <div className="divide-y">
          {[...SHARED, OWN[area]].map(([name, label, hint]) => (
            <SwitchRow
              key={name}
              label={label}
              hint={hint}
              checked={preferences[name]}
              disabled={data === undefined}
              onChange={(checked) => mutate({ [name]: checked }, { onError })}
            />
          ))}
        </div>
      )}
    </SettingsCard>
  );
}
