/** Car offers: cards, feed and the form an agent publishes with. */
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

export const createPost = {
  title: 'Create Car Post',
  lead: 'What you publish appears in every importer’s feed at once.',
  back: 'Back',
  cancel: 'Cancel',
  dashboard: 'Go to Dashboard',
  submit: 'Publish Post',
  busy: 'Publishing...',
  required: 'Brand and model are required; everything else helps a buyer decide.',
  sections: { car: 'The car', offer: 'The offer', photo: 'Photo' },
  fields: {
    brand: 'Brand',
    model: 'Model',
    engineSize: 'Engine size',
    engineHint: 'For example 1.5L or 660cc',
    price: 'CNF price (USD)',
    priceHint: 'Cost and freight to the buyer’s port',
    description: 'Description',
    descriptionHint: 'Grade, condition, equipment, what the buyer should know',
    imageUrl: 'Image URL',
    imageUrlHint:
      'Uploaded photos are shown at once. A photo on another site is shown when a buyer asks for it.',
    availability: 'Availability',
    year: 'Year',
    variant: 'Variant',
    mileage: 'Mileage (km)',
    transmission: 'Gearbox',
    fuel: 'Fuel',
    drivetrain: 'Drive',
    color: 'Colour',
    condition: 'Condition',
    location: 'Location',
    locationHint: 'Port or town where the car stands',
    features: 'Equipment',
    featuresHint: 'Separated by commas',
    auctionDate: 'Auction date',
  },
  photo: {
    upload: 'Upload photo',
    uploading: (name: string) => `Uploading ${name}`,
    hint: 'JPG, PNG or WebP, up to 5 MB. The address below is filled in for you.',
    failed: 'The photo could not be uploaded',
  },
  more: { title: 'More details', hint: 'Year, mileage, gearbox and more: what buyers filter and compare by' },
  previewAlt: 'Preview of the photo',
  preview: 'Preview',
  previewEmpty: 'Your offer, as importers will see it',
  denied: { title: 'Access Denied', text: 'Only verified agents can create car posts.' },
  onlyAgents: 'Only verified agents can create posts',
  success: { title: 'Post Created', text: 'Your car post has been created successfully!' },
  failed: 'Failed to create post',
} as const;

export const agentFeed = {
  title: 'Feed',
  subtitle: 'What is on offer, and what importers are looking for.',
  tabs: { offers: 'Car Offers', requests: 'Import Requests' },
} as const;
