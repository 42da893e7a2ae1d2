/** An agent's own invitations. */
export const invitations = {
  title: 'My Invitations',
  subtitle: 'Whom you offered your help, and what they answered.',
  tiles: { total: 'Total', sent: 'Pending', accepted: 'Accepted', declined: 'Declined' },
  hints: {
    total: 'Invitations you sent',
    sent: 'Waiting for an answer',
    accepted: 'Importers you work with',
    declined: 'Not this time',
  },
  filter: 'Status',
  all: 'All',
  budget: 'Budget',
  message: 'Your message',
  response: 'Importer response',
  waiting: 'Waiting for the importer to respond',
  start: 'Start Conversation',
  empty: {
    title: 'No invitations found',
    text: 'Find an importer whose car you can source, and send an invitation.',
    action: 'Browse Requests',
  },
} as const;
