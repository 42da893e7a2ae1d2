/** What a suspension means, to the member and to everybody else. */
export const standing = {
  failed: 'Failed to fetch who is suspended',
  own: {
    title: 'Your account is suspended',
    since: (day: string) => `Since ${day}`,
    reason: 'Reason',
    noReason: 'No reason is given here. Please ask our team.',
    means:
      'You can sign in and read everything, choose which mails you get, and raise a dispute about a deal you have. You cannot post, write, invite, accept or change your profile. Others see neither your seal nor your offers.',
    appeal: 'Ask our team for a review',
    openAppeal: 'See your appeal',
  },
  badge: 'Suspended',
  member: 'This account is suspended. Nobody can write to it, invite it or accept from it for now.',
  thread: {
    self: 'Your account is suspended, so you cannot write here. You can write to our team.',
    toTeam: 'Write to our team',
    other: (name: string) => `${name} is suspended and cannot be written to for now.`,
  },
  invitation: (name: string) => `${name} is suspended. You can decline, but not accept for now.`,
  frozen: {
    profile: 'Your profile cannot be changed while your account is suspended.',
    reviews: 'Your reviews cannot be changed while your account is suspended.',
  },
} as const;
