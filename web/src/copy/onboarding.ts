/** Profile completion, and verification with payment. */
export const onboarding = {
  profileCompletion: {
    title: 'Complete your profile',
    lead: 'Tell importers who they would be dealing with, and hand in two documents.',
    submit: 'Submit Profile',
    success: 'Profile Submitted Successfully!',
    other: 'Pay the verification fee in the same step?',
    otherLink: 'Verification and payment',
  },
  payment: {
    title: 'Verification and payment',
    lead: 'Your profile, two documents and a one-time fee: then our team checks everything by hand.',
    submit: 'Submit for Verification',
    success: 'Payment & Profile Submitted Successfully!',
    other: 'Rather pay later?',
    otherLink: 'Complete the profile only',
  },
  busy: 'Submitting...',
  received: 'Your documents are being reviewed. That takes 24-48 hours.',
  failed: { title: 'Submission Failed', text: 'Something went wrong. Please try again.' },
  steps: { label: 'Steps', profile: 'Profile', documents: 'Documents', payment: 'Payment' },
  checked: {
    title: 'What is checked',
    items: ['The identity document is yours', 'The company exists and you act for it', 'The fee has arrived'],
    review:
      'The review takes 24-48 hours. Then you carry the blue verified badge and can receive importer requests.',
  },
  state: {
    verified: 'This account is verified already. There is nothing to hand in.',
    pending: 'Your documents are being reviewed. What you submit now takes their place.',
    guest: 'You are not signed in: nothing is uploaded, and this browser keeps only a note of the form.',
    otherKind:
      'You are signed in, but not as an agent: nothing is uploaded, and this browser keeps only a note of the form.',
    signIn: 'Sign in as an agent',
    dashboard: 'Go to Dashboard',
  },
} as const;

export const agentProfile = {
  picture: 'Profile picture',
  bio: 'Bio',
  bioHint: 'What you export, since when, and what a buyer can expect of you.',
  companyName: 'Company name',
  experience: 'Years of experience',
  languages: 'Languages spoken',
  languagesHint: 'Separated by commas, for example Japanese, English',
} as const;

export const documents = {
  identity: 'Identity document',
  identityHint: 'Passport, identity card or driving licence.',
  company: 'Company proof',
  companyHint: 'Registration, licence or tax certificate.',
  accepts: (types: string, megabytes: number) => `${types}, up to ${megabytes} MB`,
  choose: 'Choose file',
  replace: 'Replace',
  remove: 'Remove',
  drop: 'or drop it here',
  uploading: (name: string) => `Uploading ${name}`,
  privacy: 'Documents are private: you and our team can open them, nobody else.',
  missing: { title: 'Missing Documents', text: 'Please upload both identity document and company proof.' },
} as const;

export const payment = {
  fee: 'Verification fee',
  amount: 'PKR 2,000',
  once: 'Paid once. No commission on deals follows.',
  review: 'Review',
  reviewTime: '24-48 hours',
  method: 'How you pay',
  tabs: { easypaisa: 'EasyPaisa', card: 'Card', bank: 'Bank' },
  easypaisa: {
    lead: 'Send the fee from your EasyPaisa wallet to this number, then submit.',
    number: 'Receiving number',
  },
  bank: {
    lead: 'Transfer the fee to this account, then submit.',
    title: 'Account title',
    number: 'Account number',
    iban: 'IBAN',
  },
  card: {
    lead: 'Card payments are arranged by our team after review',
    note: 'What you type here stays in this browser and is not sent.',
    number: 'Card number',
    holder: 'Cardholder name',
    expiry: 'Expiry (MM/YY)',
    expiryPlaceholder: 'MM/YY',
    cvv: 'CVV',
  },
  demo: 'Sample details of a demonstration: do not send money to them.',
  notRead: 'The receiving details could not be read.',
  notSet: (support: string) => `No receiving details are set yet. Write to ${support} before you pay.`,
  unknown: '—',
} as const;

/** On the dashboard of an agent who is not verified. */
export const verificationPanel = {
  title: 'Verification',
  pending: 'Your documents are being reviewed. That takes 24-48 hours.',
  unverified: 'Two documents and a one-time fee of PKR 2,000 bring the blue seal to every offer of yours.',
  start: 'Start verification',
  payLater: 'Pay later',
  kept: 'You filled in the form before you signed in, and this browser kept it. Add the two documents to hand it in.',
  finish: 'Finish verification',
} as const;
