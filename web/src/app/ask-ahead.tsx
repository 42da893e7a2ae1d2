/**
 * What the next page will need is asked for before it stands: its files and its first rows when somebody reaches for
 * its link, and the rows beside the files where nobody did. It comes when the browser rests.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { fetchAhead } from '@/hooks/use-idle';
import { useAuth } from '@/lib/auth/auth-context';
import { late } from '@/lib/late';
import type { Navigation } from '@/lib/navigation/navigation';
import { onReach } from '@/lib/navigation/reach';

type FirstRows = typeof import('./first-rows');

/** With the client behind it, which visitors do without. */
const firstRows = late(() => import('./first-rows'));

export default function AskAhead({ navigation }: { navigation: Navigation }) {
  const client = useQueryClient();
  const { user, profile } = useAuth();
  const userId = user?.id;
  const type = profile?.user_type;
  useEffect(() => onReach(navigation.prepare), [navigation]);
  useEffect(() => {
    if (userId === undefined || type === undefined) return;
    fetchAhead(firstRows.load);
    return navigation.onWanted((to) => {
      const ask = ({ askFirstRows }: FirstRows) => askFirstRows({ client, userId, type }, to);
      firstRows.load().then(ask, () => undefined);
    });
  }, [navigation, client, userId, type]);
  return null;
}
