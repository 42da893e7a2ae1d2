/** The settings of the back office. */
export const adminSettings = {
  title: 'Settings',
  lead: 'What you decide here holds for everybody at once. Every change is in the record.',
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
  },
  demo: {
    title: 'Demo',
    on: 'Demo mode is on',
    off: 'Demo mode is off',
    hint: 'Decided where the server is configured (MINATO_DEMO_MODE), not here.',
  },
  administrator: {
    title: 'Administrator',
    address: 'Address',
    hint: 'Decided where the server is configured (MINATO_ADMIN_EMAIL), not here.',
  },
} as const;
