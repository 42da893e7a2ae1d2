/** Car offers: cards and feeds. What only forms, sheets and other screens say is in post-form.ts and offers.ts. */
export const availability = {
  available: 'Available',
  pending: 'Reserved',
  sold: 'Sold',
} as const;

export const spec = {
  year: 'Year',
  engine: 'Engine',
  mileage: 'Mileage',
  gearbox: 'Gearbox',
  fuel: 'Fuel',
  drive: 'Drive',
  unknown: '—',
  unknownSpoken: 'not given',
} as const;

export const price = {
  basis: 'CNF',
  unknown: 'Price on request',
  help: 'Cost and freight to your port. Insurance, duty and local fees are yours.',
  helpLabel: 'What CNF means',
} as const;

export const route = { destination: 'Your port', from: 'From', to: 'to' } as const;

export const seal = {
  agent: 'Verified Agent',
  importer: 'Verified Importer',
  short: 'Verified',
  evidence: 'What was checked',
  checks: ['Identity document', 'Company proof'],
  since: 'Checked on',
} as const;

export const card = {
  follow: 'Follow',
  following: 'Following',
  save: 'Save',
  saved: 'Saved',
  message: 'Message',
  viewProfile: 'View Profile',
  yours: 'Your post',
  unknownAgent: 'Unknown agent',
} as const;

/** A photo that lies at another site. */
export const carPhoto = {
  show: (host: string) => `Show photo from ${host}`,
  showShort: 'Show photo',
  failed: (host: string) => `The photo at ${host} could not be loaded.`,
  failedShort: 'Could not be loaded',
} as const;

export const feed = {
  title: 'Car offers',
  count: 'Cars Available',
  viewSaved: 'View Saved Cars',
  filters: { all: 'All', available: 'Available', followed: 'Followed agents', under15k: 'Under $15,000' },
  filterLabel: 'Show',
  notes: 'How to read an offer',
  direct: 'Direct',
  newOffers: (count: number) => (count === 1 ? '1 new offer' : `${count} new offers`),
  empty: {
    title: 'No Car Offers Available',
    text: 'New offers appear here the moment an agent publishes them.',
  },
  emptyFilter: {
    title: 'No offer matches',
    text: 'Choose another filter to see more.',
    reset: 'Show all offers',
  },
} as const;

export const ownPost = {
  availability: 'Availability of',
  changed: { title: 'Availability Updated', text: (car: string, status: string) => `${car}: ${status}` },
  changeFailed: 'Failed to change the availability',
  edit: 'Edit',
  delete: 'Delete',
  confirmDelete: {
    title: 'Delete this post?',
    text: (car: string) => `${car} disappears from every feed and from the cars people saved.`,
  },
  deleted: { title: 'Post Deleted', text: (car: string) => `${car} is no longer offered.` },
  deleteFailed: 'Failed to delete the post',
} as const;

export const postToasts = {
  saved: { title: 'Post Saved', text: (car: string) => `${car} has been added to your saved cars.` },
  unsaved: { title: 'Post Unsaved', text: (car: string) => `${car} has been removed from your saved cars.` },
  saveFailed: 'Failed to save post',
  following: { title: 'Following', text: (name: string) => `You are now following ${name}` },
  unfollowed: { title: 'Unfollowed', text: (name: string) => `You are no longer following ${name}` },
  followFailed: 'Failed to follow agent',
} as const;

export const newPost = { title: 'Create Car Post', importList: 'Import a list' } as const;

export const agentFeed = {
  title: 'Feed',
  subtitle: 'What is on offer, and what importers are looking for.',
  tabs: { offers: 'Car Offers', requests: 'Import Requests' },
} as const;

export const specLine = { notGiven: 'not given:' } as const;

export const feedCount = {
  shown: (count: number) => (count === 1 ? '1 offer shown' : `${count.toLocaleString('en-US')} offers shown`),
} as const;
