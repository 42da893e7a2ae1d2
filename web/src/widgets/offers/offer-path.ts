/** Where somebody opens a car: importers among the available cars, agents in their feed. */
import { paths } from '@/config/paths';

export function offerPath(userType: string | null | undefined, postId: string): string {
  const screen = userType === 'agent' ? paths.agent.feed : paths.importer.availableCars;
  return `${screen}?car=${encodeURIComponent(postId)}`;
}

// IMC-016, IMSV-010
/** The thread with the agent of a car; `post` says which car it is about. */
export function contactPath(post: { id: string; agent_id: string }): string {
  return `${paths.importer.messages}?agent=${post.agent_id}&post=${post.id}`;
}
