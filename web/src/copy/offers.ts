/** Offers beyond the feeds: their photos, their fixed words, changing one, sharing one, and what is left of one. */
export const bodyLabels = {
  kei: 'Kei car',
  hatch: 'Hatchback',
  sedan: 'Sedan',
  wagon: 'Station wagon',
  coupe: 'Coupe',
  suv: 'SUV',
  van: 'Van',
  truck: 'Truck',
  bus: 'Bus',
  other: 'Other',
} as const;

export const choiceField = {
  none: 'Not given',
  other: 'Other',
  otherLabel: (field: string) => `${field}, in your own words`,
} as const;

export const offerFields = { body: 'Body type' } as const;

export const photos = {
  title: 'Photos',
  order: 'The first photo is the cover. Buyers see the others in this order.',
  list: 'Photos of the offer',
  cover: 'Cover',
  place: (place: number, count: number) => `Photo ${place} of ${count}`,
  earlier: (place: number) => `Move photo ${place} forward`,
  later: (place: number) => `Move photo ${place} back`,
  makeCover: (place: number) => `Make photo ${place} the cover`,
  makeCoverShort: 'Make cover',
  remove: (place: number) => `Remove photo ${place}`,
  moved: (place: number, count: number) => `Now photo ${place} of ${count}`,
  nowCover: 'Now the cover',
  removed: 'Photo removed',
  hint: (most: number) =>
    `JPG, PNG or WebP, up to ${most} photos, several at once. They are made smaller before they are sent.`,
  underWay: (count: number) => (count === 1 ? 'Uploading one photo' : `Uploading ${count} photos`),
  uploading: (name: string) => `Uploading ${name}`,
  retry: (name: string) => `Try ${name} again`,
  leaveOut: (name: string) => `Leave ${name} out`,
  refused: (name: string, reason: string) => `${name}: ${reason}`,
  tooMany: (most: number) => `An offer takes up to ${most} photos`,
  wait: 'One moment, your photos are still on their way.',
  alt: (car: string, place: number) => `${car}, photo ${place}`,
} as const;

export const editPost = {
  title: 'Edit Car Post',
  lead: 'Buyers see the new version at once. Whoever saved the car keeps it.',
  submit: 'Save Changes',
  busy: 'Saving...',
  required: 'Brand and model are required.',
  success: { title: 'Post Updated', text: 'Your changes are online.' },
  failed: 'Failed to update the post',
  gone: {
    title: 'This post is not yours to edit',
    text: 'It may have been deleted, or it belongs to another agent.',
  },
} as const;

export const mayNotPost = {
  suspended: {
    title: 'You cannot publish cars at the moment',
    text: 'You can again when the suspension ends. If you think it is a mistake, write to us.',
    action: 'Contact support',
  },
  unverified: {
    text: 'Complete your verification first. Your offers can go online as soon as it is confirmed.',
    pending: 'Your verification is being checked. You can publish cars as soon as it is confirmed.',
    action: 'Complete verification',
  },
} as const;

export const offerLink = {
  copy: 'Copy link',
  copied: { title: 'Link Copied', text: 'Every member can open this car with it.' },
  copyFailed: 'The link could not be copied',
  open: (car: string) => `Details ${car}`,
  gone: { title: 'This car is no longer offered', text: 'The agent has taken it down, or it was sold.' },
} as const;

export const carFilters = {
  more: 'More filters',
  reset: 'Reset these filters',
  body: 'Body type',
  fuel: 'Fuel',
  gearbox: 'Gearbox',
  drive: 'Drive',
  condition: 'Condition',
  colour: 'Colour',
  any: 'Any',
  names: {
    gearbox: { automatic: 'Automatic', manual: 'Manual', cvt: 'CVT' },
    fuel: { gasoline: 'Gasoline', hybrid: 'Hybrid', electric: 'Electric', diesel: 'Diesel' },
    drive: { fwd: 'FWD', rwd: 'RWD', awd: 'AWD or 4WD' },
    colour: {
      white: 'White',
      silver: 'Silver',
      grey: 'Grey',
      black: 'Black',
      red: 'Red',
      blue: 'Blue',
      green: 'Green',
      yellow: 'Yellow',
      orange: 'Orange',
      brown: 'Brown',
      beige: 'Beige',
      gold: 'Gold',
      purple: 'Purple',
    },
  },
} as const;

export const lostSaves = {
  title: (count: number) =>
    count === 1 ? 'A car you saved is no longer offered' : `${count} cars you saved are no longer offered`,
  text: (cars: string) => `${cars}. The agent has taken the offer down.`,
  textMany: (cars: string) => `${cars}. The agents have taken the offers down.`,
  dismiss: 'Got it',
  failed: 'The note could not be closed',
  hidden: { title: 'Not shown at the moment', text: 'The agent of this saved car is not active.' },
} as const;

/** Of a text that was mistyped. */
export const readAs = {
  showing: (text: string) => `Showing results for "${text}".`,
  insist: (text: string) => `Search instead for "${text}"`,
} as const;

export const agentOffers = {
  title: 'Cars on offer',
  empty: 'No cars on offer at the moment.',
} as const;
