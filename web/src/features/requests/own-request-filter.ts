/** Tabs and dropdown of My Requests narrow the same list: a request has to pass both. */
export const requestTabs = ['all', 'active', 'pending', 'completed'] as const;
export type RequestTab = (typeof requestTabs)[number];

interface HasStatus {
  status: string;
}

export function withStatus<Request extends HasStatus>(
  requests: readonly Request[],
  ...wanted: RequestTab[]
): Request[] {
  return requests.filter(({ status }) => wanted.every((tab) => tab === 'all' || tab === status));
}
