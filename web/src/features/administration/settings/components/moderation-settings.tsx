import { CardHeader, CardTitle, FormCard } from '@/components/ui/card';
import { Switch } from '@/components/ui/switch';
import { adminSettings as copy } from '@/copy/back-office-settings';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { useSaveSettings, type Settings } from '../data/settings';

const RULES = ['review_new_requests', 'require_verified_to_post'] as const;

/** Each switch is saved when it is turned. */
export function ModerationSettings({ settings }: { settings: Settings }) {
  const { mutate, isPending, variables } = useSaveSettings();
  const turned = variables?.[0];
  const turn = (key: (typeof RULES)[number], value: boolean) =>
    mutate([{ key, value }], {
      onSuccess: () => toastSuccess(copy.saved),
      onError: (error) => toastError(copy.notSaved, messageOf(error)),
    });
  return (
    <FormCard aria-labelledby="moderation-title">
      <CardHeader>
        <CardTitle id="moderation-title">{copy.moderation.title}</CardTitle>
      </CardHeader>
      <ul className="divide-y">
        {RULES.map((rule) => {
          const { label, hint } = copy.moderation[rule];
          const isOn = isPending && turned?.key === rule ? turned.value === true : settings[rule];
          return (
            <li key={rule} className="flex items-center justify-between gap-6 px-4 py-3 sm:px-5">
              <div>
                <p id={`${rule}-label`} className="font-semibold">
                  {label}
                </p>
                <p className="text-small text-muted-foreground">{hint}</p>
              </div>
              <Switch
                aria-labelledby={`${rule}-label`}
                checked={isOn}
                disabled={isPending}
                onCheckedChange={(value) => turn(rule, value)}
              />
            </li>
          );
        })}
      </ul>
    </FormCard>
  );
}
