/** An agent's own invitations. */
export const invitations = {
  title: 'My Invitations',
  subtitle: 'The importers you offered to help, and what they answered.',
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
  details: 'View Request Details',
  statuses: { total: 'All', sent: 'Pending', accepted: 'Accepted', declined: 'Declined' },
  request: {
    title: 'Request details',
    none: 'This invitation was sent to the importer, not about one request.',
    gone: 'The importer has removed this request.',
    status: 'Status',
    description: 'Requirements',
    interested: 'Interested in',
    city: 'Location',
    posted: 'Posted',
  },
  arrived: (count: number) => (count === 1 ? '1 new invitation' : `${count} new invitations`),
  empty: {
    title: 'No invitations found',
    text: 'Find an importer whose car you can source, and send an invitation.',
    action: 'Browse Requests',
  },
} as const;

/** An invitation that the team made, to either side. */
export const assigned = {
  badge: 'Minato assigned this',
  agent: 'Our team suggested you for this request. The importer decides; you can write to them already.',
  importer: 'Our team suggests this agent for your request. You decide.',
  notice: {
    title: 'Minato assigned you a request',
    text: (car: string, name: string) => `${car}, for ${name}. You find it in My Invitations.`,
    anyCar: 'An import request',
  },
} as const;

/** What agents answered to one request of an importer. */
export const responses = {
  title: (car: string) => `Responses for ${car}`,
  empty: {
    title: 'No responses yet',
    active: 'Agents see your request now. Their invitations appear here the moment they send them.',
    pending: 'Our team looks at your request first. Agents see it once it is active.',
    closed: 'Agents no longer see this request, and none of them had answered it.',
  },
  yourReply: 'Your reply',
  start: 'Start Conversation',
  profile: 'View Profile',
  complete: {
    open: 'Mark as completed',
    title: 'Close the request with this agent',
    text: 'Say what you agreed on. The request is closed, and agents no longer see it.',
    price: 'Agreed price (USD)',
    priceMissing: 'Please enter the agreed price',
    satisfaction: 'How satisfied are you? (optional)',
    submit: 'Mark as completed',
    busy: 'Closing...',
    cancel: 'Cancel',
    done: { title: 'Request Completed', text: 'Congratulations on your car.' },
    failed: 'Failed to complete the request',
  },
} as const;
