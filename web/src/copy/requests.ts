/** Import requests, as agents browse them. */
export const urgency = {
  high: 'High Priority',
  medium: 'Medium Priority',
  low: 'Low Priority',
  standard: 'Standard',
} as const;

export const requests = {
  title: 'Import Requests',
  subtitle: 'What importers are looking for right now.',
  search: 'Search by car type or country',
  country: 'Country',
  urgency: 'Urgency',
  all: 'All',
  levels: { all: 'All', high: 'High', medium: 'Medium', low: 'Low' },
  count: (shown: number, total: number) => `Showing ${shown} of ${total} requests`,
  more: 'Show more',
  send: 'Send Invite',
  sending: 'Sending...',
  year: 'Year range',
  budget: 'Budget',
  flexible: 'flexible',
  condition: 'Condition',
  port: 'Destination Port',
  unknown: '—',
  unknownUser: 'Unknown User',
  empty: {
    title: 'No requests found',
    text: 'New requests appear here the moment an importer posts them.',
  },
  failed: 'Failed to load car requests.',
} as const;

export const invite = {
  greeting: (name: string) => `Hello ${name}, I am interested in helping you with your car import request.`,
  sent: { title: 'Invitation Sent', text: (name: string) => `Your invitation has been sent to ${name}.` },
  failed: 'Failed to send invitation',
  onlyAgents: 'Only agents can send invitations',
} as const;
