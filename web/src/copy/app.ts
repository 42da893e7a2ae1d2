/** Words every area shares. */
export const app = {
  loading: 'Loading...',
  landingLoading: 'Loading',
  slow: 'This takes longer than usual. Your connection is slow or the server is busy; we keep trying.',
  opening: 'Opening the page',
  skipToContent: 'Skip to content',
  signOut: 'Sign Out',
  tryAgain: 'Try again',
  copy: 'Copy',
  copied: 'Copied',
  dismiss: 'Close',
  keep: 'Cancel',
  showMore: 'Show more',
  filters: (active: number) => (active === 0 ? 'Filters' : `Filters (${active})`),
  filterTitle: 'Filters',
  unsaved: {
    title: 'Leave without saving?',
    text: 'Your changes are not saved. Leave this page all the same?',
    leave: 'Leave',
    stay: 'Stay',
  },
  draft: { restored: 'We kept what you typed last time.', discard: 'Start over' },
  connection: {
    offline: 'You are offline',
    offlineMore: 'Nothing is sent until the connection is back.',
    reconnecting: 'Connecting again…',
    reconnectingMore: 'Updates may arrive late.',
  },
  count: (length: number, limit: number) => `${length}/${limit}`,
  charactersLeft: (left: number) => `${left} characters left`,
  carDrawing: 'A car',
  notSupplied: 'Photo not supplied',
  newTab: 'opens in a new tab',
  directDeals: 'Deals are made directly between you and the agent.',
  theme: { label: 'Theme', light: 'Light', dark: 'Dark', system: 'System' },
} as const;

export const notFound = {
  code: '404',
  title: 'Oops! Page not found',
  home: 'Return to Home',
} as const;

export const crash = {
  title: 'This page could not be shown',
  text: 'Something unexpected happened. Your data is safe; try again or go back to the start.',
  home: 'Return to Home',
  inArea: 'Something unexpected happened. Your data is safe; try again, or go on with the menu.',
  part: 'This part could not be shown.',
} as const;

export const notLoaded = {
  title: 'This part of the site could not be loaded',
  text: 'Your connection may be down, or a new version of the site has just come out. Check your connection and try again.',
} as const;

export const missingConfiguration = {
  title: 'The backend is not configured',
  text: 'This build does not know which backend to talk to. Missing:',
} as const;
