/** Everything the back office reads is stale after any decision: one decision shows in several places. */
export const administrationKeys = {
  all: ['administration'] as const,
  list: (name: string, ask: unknown) => ['administration', name, ask] as const,
  overview: ['administration', 'overview'] as const,
  activity: (limit: number) => ['administration', 'activity', limit] as const,
  analytics: (days: unknown) => ['administration', 'analytics', days] as const,
  communication: ['administration', 'communication'] as const,
  document: (path: string) => ['administration-document', path] as const,
  settings: ['administration', 'settings'] as const,
};
