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
  receivedUnpaid: 'The fee is still open. Your dashboard shows how to pay it.',
  receivedCard: 'Our team will write to you about the card payment.',
  refused: 'Some files could not be accepted. The reason is shown beside each of them.',
  failed: { title: 'Submission Failed', text: 'Something went wrong. Please try again.' },
  steps: { label: 'Steps', profile: 'Profile', documents: 'Documents', payment: 'Payment', done: 'done' },
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
  pictureHint: 'Importers see it beside your name.',
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
  handedIn: 'Handed in before',
  notUploaded: 'This file was not uploaded. Please try again.',
  uploading: (name: string) => `Uploading ${name}`,
  privacy: 'Documents are private: you and our team can open them, nobody else.',
  missing: { title: 'Missing Documents', text: 'Please upload both identity document and company proof.' },
} as const;

export const payment = {
  fee: 'Verification fee',
  amount: 'PKR 2,000',
  once: 'Paid once. No commission on deals follows.',
  reference: {
    label: 'Your reference',
    hint: 'Write it on the transfer, so that we find your payment.',
    guest: 'You get your own reference as soon as you are signed in as an agent.',
    notRead: 'Your reference could not be read. Try again before you pay.',
  },
  settled: {
    received: 'Your fee has arrived. There is nothing more to pay.',
    waived: 'The fee was waived for you. There is nothing to pay.',
  },
  paid: {
    label: 'Have you paid the fee?',
    no: { label: 'Not yet', hint: 'Pay now or later. The review ends when the fee is here.' },
    yes: { label: 'I have paid', hint: 'Our team looks for your transfer.' },
    told: 'You told us that you have paid. Our team looks for your transfer.',
    transaction: 'Transaction ID',
    transactionHint: 'As your wallet or bank shows it.',
    receipt: 'Receipt',
    receiptHint: 'A picture or PDF of the transfer.',
  },
  review: 'Review',
  reviewTime: '24-48 hours',
  method: 'How you pay',
  tabs: { easypaisa: 'EasyPaisa', card: 'Card', bank: 'Bank' },
  easypaisa: {
    lead: 'Send the fee from your EasyPaisa wallet to this number.',
    number: 'Receiving number',
  },
  bank: {
    lead: 'Transfer the fee to this account.',
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
