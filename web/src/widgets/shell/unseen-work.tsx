/** What every page of a member does besides showing itself, as soon as the browser rests. */
import type { ComponentType } from 'react';
import type { UserType } from '@/config/paths';
import { useLate } from '@/hooks/use-late';
import { late } from '@/lib/late';

const work = {
  agent: late(() => import('./agent-work')),
  importer: late(() => import('./member-work')),
};

interface UnseenWorkProps {
  userId: string | undefined;
  area: UserType;
}

export function UnseenWork({ userId, area }: UnseenWorkProps) {
  const module = useLate<{ default: ComponentType<{ userId: string }> }>(work[area]);
  return module && userId !== undefined && <module.default userId={userId} />;
}
