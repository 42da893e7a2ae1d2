/** The settings of the back office. */
export const adminSettings = {
  title: 'Settings',
  lead: 'Changes apply to everybody at once. Each one is in the audit log.',
  failed: 'The settings could not be loaded',
  notSaved: 'The setting was not saved',
  saved: 'Saved',
  save: 'Save',
  saving: 'Saving...',
  moderation: {
    title: 'Moderation',
    review_new_requests: {
      label: 'Review new requests',
      hint: 'A new import request waits for your approval before agents see it.',
    },
    require_verified_to_post: {
      label: 'Require verification to post',
      hint: 'Only agents with the seal may post cars and send invitations.',
    },
  },
  verification: {
    title: 'Verification and payment',
    fee: 'Fee in PKR',
    reviewTime: 'Review time',
    reviewTimeValue: '24-48 hours',
    instructions: 'Agents pay to these accounts. The numbers are shown as you write them.',
    placeholder: 'These are placeholders. Agents see them marked as not configured until you enter your own.',
    easypaisa: 'Easypaisa number',
    title_: 'Bank account title',
    account: 'Bank account number',
    iban: 'IBAN',
    feeInvalid: 'Please enter a whole amount',
    feeTooHigh: 'Please enter at most 1,000,000',
    tooLong: 'Please enter at most 100 characters',
  },
  demo: {
    title: 'Demo',
    on: 'Demo mode is on',
    off: 'Demo mode is off',
    hint: 'Sample data and a disabled account deletion. Whoever runs the server turns it on or off.',
  },
  administrator: {
    title: 'Administrator',
    address: 'Address',
    hint: 'Whoever runs the server can change this address.',
  },
} as const;
