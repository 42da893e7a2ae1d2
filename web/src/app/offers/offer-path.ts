/** Where somebody opens a car: importers among the available cars, agents in their feed. */
import { paths } from '@/config/paths';

export function offerPath(userType: string | null | undefined, postId: string): string {
  const screen = userType === 'agent' ? paths.agent.feed : paths.importer.availableCars;
  return `${screen}?post=${encodeURIComponent(postId)}`;
}
