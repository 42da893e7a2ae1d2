/** Everything the back office reads is stale after any decision: one decision shows in several places. */
export const administrationKeys = {
  all: ['administration'] as const,
  list: (name: string, ask: unknown) => ['administration', 'list', name, ask] as const,
  row: (name: string, id: string) => ['administration', 'row', name, id] as const,
  audit: (ask: unknown) => ['administration', 'list', 'audit', ask] as const,
  overview: ['administration', 'overview'] as const,
  activity: (limit: number) => ['administration', 'activity', limit] as const,
  analytics: (days: unknown) => ['administration', 'analytics', days] as const,
  communication: ['administration', 'communication'] as const,
  openedDocuments: (submission: string) => ['administration', 'opened-documents', submission] as const,
  document: (path: string) => ['administration-document', path] as const,
  settings: ['administration', 'settings'] as const,
};
