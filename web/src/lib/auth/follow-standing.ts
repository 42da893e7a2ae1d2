/** What a page does when somebody is suspended or comes back: the change says whose standing it is. */
import type { QueryClient } from '@tanstack/react-query';
import { standing as copy } from '@/copy/standing';
import { unwrap } from '@/lib/errors';
import type { RowChanges } from '@/lib/realtime/use-row-changes';
import { supabase } from '@/lib/supabase';
import { standingKeys } from './standing';

interface Standing {
  user_id: string;
  is_suspended: boolean;
}

interface Heard {
  /** Until when nothing was missed, by this machine's clock. */
  until: number;
  /** Whether something may have been missed since that could not be asked for. */
  isOpen: boolean;
}

const heardBy = new WeakMap<QueryClient, Heard>();

/** Answers whose standing changed: after a gap, those that were missed are asked for. */
export async function followStanding(
  client: QueryClient,
  { changed, isGap }: RowChanges,
): Promise<readonly string[]> {
  const now = Date.now();
  const heard = heardBy.get(client);
  const rows = changed.map(({ row }) => row as Partial<Standing>);
  // What is shown when the channel is joined for the first time was read just before.
  const missed = heard && (isGap || heard.isOpen) ? await readMissed(now - heard.until) : [];
  heardBy.set(client, { until: missed ? now : (heard?.until ?? now), isOpen: missed === null });
  const told = [...rows, ...(missed ?? [])];
  for (const { user_id: id, is_suspended: is } of told)
    if (id !== undefined && is !== undefined) mark(client, id, is);
  return told.flatMap(({ user_id: id }) => id ?? []);
}

/** Null where it could not be read: the next change, or the line when it is back, asks for it too. */
async function readMissed(ms: number): Promise<Standing[] | null> {
  try {
    const answer = await supabase.rpc('standing_changes', { p_seconds: Math.ceil(ms / 1000) });
    return unwrap(answer, copy.failed);
  } catch {
    return null;
  }
}

/** Only where somebody asked. */
function mark(client: QueryClient, userId: string, is: boolean): void {
  const queryKey = standingKeys.member(userId);
  if (client.getQueryState(queryKey)) client.setQueryData(queryKey, is);
}
