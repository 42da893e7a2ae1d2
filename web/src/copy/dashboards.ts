/** The two dashboards. */
export const importerDashboard = {
  welcome: (name: string) => `Welcome back, ${name}`,
  subtitle: 'What agents offer you today, and what waits for your answer.',
  postRequest: 'Post Car Request',
  browseCars: 'Browse Available Cars',
  tiles: {
    saved: 'Saved Cars',
    messages: 'New Messages',
    unread: (count: number) => `${count} unread`,
    following: 'Following',
    connections: 'Connections',
  },
  tileHints: {
    saved: 'Offers you keep',
    following: 'Agents you follow',
    connections: 'Accepted invitations',
  },
  latest: 'Latest Car Offers',
  viewAll: 'View All',
} as const;

export const invitationsPanel = {
  title: 'Invitations from agents',
  empty: 'No open invitation. Agents write here when they can fill a request of yours.',
  about: 'About',
  accept: 'Accept',
  decline: 'Decline',
  reply: 'Add a reply',
  replyLabel: 'Reply (optional)',
  accepting: 'Accepting...',
  declining: 'Declining...',
  accepted: { title: 'Invitation accepted', text: (name: string) => `You are now connected with ${name}.` },
  declined: { title: 'Invitation declined', text: (name: string) => `${name} has been told.` },
  failed: 'Failed to answer the invitation',
  answered: 'You have answered this invitation already.',
} as const;

export const agentDashboard = {
  welcome: (name: string) => `Welcome back, ${name}`,
  subtitle: {
    verified: "Here's your business overview and feed of potential importers.",
    other: 'Complete your verification to start receiving more import requests.',
  },
  tiles: {
    posts: 'Your Car Posts',
    sent: 'Sent Invitations',
    accepted: 'Accepted Invitations',
    deals: 'Completed Deals',
  },
  tileHints: {
    posts: 'In the importers’ feed',
    sent: 'Waiting for an answer',
    accepted: 'Importers you work with',
    deals: 'From accepted invitations',
  },
  actions: {
    label: 'Quick actions',
    create: 'Create Car Post',
    requests: 'Browse Requests',
    importers: 'Find Importers',
  },
  activity: {
    title: 'Recent Activity',
    empty: 'No Recent Activity',
    emptyText: 'Invite an importer and the answer shows up here.',
  },
  potential: {
    title: 'Potential Importers',
    all: 'View all',
    empty: 'No importer accepts invitations at the moment.',
  },
  sentOn: 'Sent',
  unknownUser: 'Unknown User',
} as const;

export const invitationStatus = { sent: 'Pending', accepted: 'Accepted', declined: 'Declined' } as const;
