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
  empty: 'No open invitations. Agents write here when they can fill one of your requests.',
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

/** Deals an importer has under way. */
export const runningDeals = {
  title: 'Your running deals',
  unread: 'New message',
  yourTurn: 'Your turn',
  theirTurn: 'Waiting for the agent',
  silent: 'Nobody has written yet',
  youWrote: (age: string) => `You wrote ${age}`,
  theyWrote: (age: string) => `Wrote ${age}`,
  since: (day: string) => `Connected since ${day}`,
} as const;

export const openRequests = {
  title: 'Your open requests',
  all: 'All requests',
  reviewed: 'Our team looks at it first',
  empty: 'You are not looking for a car at the moment. Post a request, and agents come to you.',
  answers: (count: number) =>
    count === 0
      ? 'No agent has answered yet'
      : count === 1
        ? '1 agent has answered'
        : `${count} agents have answered`,
} as const;

/** What an agent is to do next. */
export const agentWaiting = {
  title: 'Waiting for you',
  empty: 'Nothing waits for you at the moment.',
  unread: {
    title: (count: number) => (count === 1 ? '1 unread message' : `${count} unread messages`),
    hint: 'Buyers often write to several agents. Answer soon.',
  },
  accepted: {
    one: (name: string) => `${name} accepted your invitation`,
    many: (count: number) => `${count} importers accepted your invitation`,
    hint: 'Nobody has written yet. Make the first step.',
  },
  requests: {
    title: (count: number) =>
      count === 1 ? '1 request for a make you sell' : `${count} requests for makes you sell`,
    hint: 'Of several makes you have on offer',
  },
  photos: {
    title: (count: number) => (count === 1 ? '1 offer has no photo' : `${count} offers have no photo`),
    hint: (car: string) => `Begin with your ${car}`,
  },
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
