/** What a person reads when something fails. */
export const errors = {
  generic: 'Something went wrong. Please try again.',
  unexpected: 'An unexpected error occurred. Please try again.',
  offline: 'The server could not be reached. Check your connection and try again.',
  notAuthenticated: 'Not authenticated',
  title: 'Error',
  fetch: {
    posts: 'Failed to fetch posts',
    invitations: 'Failed to fetch invitations',
    messages: 'Failed to fetch messages',
    profile: 'Failed to fetch profile',
    reviews: 'Failed to fetch reviews',
    counts: 'Failed to fetch your figures',
    importers: 'Failed to fetch importers',
  },
} as const;
