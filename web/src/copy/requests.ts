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
  result: (count: number) => (count === 1 ? 'Show 1 request' : `Show ${count} requests`),
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

/** The live feed of requests, narrowed by search and filters. */
export const liveRequests = {
  search: 'Search requests',
  searchPlaceholder: 'Make, model, country or city',
  filter: 'Filter',
  urgency: 'Urgency',
  make: 'Make',
  condition: 'Condition',
  budget: 'Budget',
  all: 'All',
  budgets: {
    any: 'Any budget',
    under10k: 'Up to $10,000',
    from10kTo20k: '$10,000 – $20,000',
    over20k: 'Over $20,000',
  },
  reset: 'Reset',
  send: 'Send Invitation',
} as const;

export const invite = {
  greeting: (name: string) => `Hello ${name}, I am interested in helping you with your car import request.`,
  sentFromStrip: 'Invitation Sent!',
  sent: { title: 'Invitation Sent', text: (name: string) => `Your invitation has been sent to ${name}.` },
  sentShort: (name: string) => `Invitation sent to ${name}`,
  failedTitle: 'Failed to Send Invitation',
  failed: 'Failed to send invitation',
  pending: 'You already have a pending invitation with this importer.',
  onlyAgents: 'Only agents can send invitations',
} as const;

export const requestStatus = {
  active: 'Active',
  pending: 'Pending',
  completed: 'Completed',
  expired: 'Expired',
} as const;

export const postRequest = {
  title: 'Post a car request',
  lead: 'Agents see it the moment you post it, and answer with an invitation.',
  sections: {
    vehicle: 'Vehicle Details',
    budget: 'Budget & Timeline',
    shipping: 'Shipping Information',
  },
  fields: {
    make: 'Car make',
    model: 'Car model',
    year: 'Year range',
    flexibleYear: 'Other years are fine too',
    condition: 'Condition',
    fuel: 'Fuel type',
    transmission: 'Transmission',
    description: 'Requirements',
    descriptionHint: 'Grade, colour, equipment, mileage: what the car must have and what it must not.',
    budgetMin: 'Minimum budget (USD)',
    budgetMax: 'Maximum budget (USD)',
    flexibleBudget: 'My budget is flexible',
    urgency: 'When do you need it?',
    port: 'Destination port',
    portHint: 'The port the car should arrive in, for example Hamburg.',
  },
  choose: 'Please choose',
  noPreference: 'No preference',
  fuels: { gasoline: 'Gasoline', hybrid: 'Hybrid', electric: 'Electric', diesel: 'Diesel', any: 'Any' },
  transmissions: { automatic: 'Automatic', manual: 'Manual', cvt: 'CVT', any: 'Any' },
  preview: 'What agents will see',
  previewEmpty: 'Your car',
  submit: 'Post Request',
  busy: 'Posting...',
  cancel: 'Cancel',
  notSignedIn: { title: 'Authentication Required', text: 'Please sign in to post a request.' },
  failed: 'Failed to Post Request',
  success: {
    title: 'Request Posted Successfully!',
    text: 'Your car request has been posted. Agents will start responding soon.',
  },
  edit: 'Edit Request',
  save: 'Save Changes',
  saving: 'Saving...',
  edited: { title: 'Request Updated', text: 'Agents see the new version at once.' },
  editFailed: 'Failed to update the request',
} as const;

export const myRequests = {
  title: 'My Car Requests',
  subtitle: 'What you are looking for, and which agents have answered.',
  newRequest: 'New Request',
  tiles: { total: 'Total Requests', active: 'Active', pending: 'Pending', completed: 'Completed' },
  hints: {
    total: 'Since you joined',
    active: 'Open to agents',
    pending: 'Being reviewed',
    completed: 'Deals you closed',
  },
  tabs: { all: 'All', active: 'Active', pending: 'Pending', completed: 'Completed' },
  filterLabel: 'Status',
  filter: { all: 'All Status', active: 'Active Only', pending: 'Pending Only', completed: 'Completed Only' },
  posted: 'Posted',
  requirements: 'Requirements',
  fuel: 'Fuel type',
  any: 'Any',
  edit: 'Edit Request',
  delete: 'Delete',
  responses: (count: number) => `View Responses (${count})`,
  empty: {
    title: 'No requests yet',
    text: 'Say which car you are looking for, and let agents come to you.',
    action: 'Post First Request',
  },
  emptyFilter: { title: 'No requests here', text: 'None of your requests has this status.' },
  failed: 'Failed to load your requests',
  confirmDelete: {
    title: 'Delete this request?',
    text: (car: string) => `Agents will no longer see your request for a ${car}. This cannot be undone.`,
  },
  deleteFailed: { title: 'Delete Failed', text: 'Failed to delete the request. Please try again.' },
  deleted: { title: 'Request Deleted', text: 'Your car request has been deleted successfully.' },
} as const;
