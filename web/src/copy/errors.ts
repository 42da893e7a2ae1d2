/** What a person reads when something fails. */
export const errors = {
  generic: 'Something went wrong. Please try again.',
  unexpected: 'An unexpected error occurred. Please try again.',
  offline: 'The server could not be reached. Check your connection and try again.',
  notAuthenticated: 'Not authenticated',
  title: 'Error',
  /** Stands behind a text that does not say what is wrong. */
  reference: (requestId: string) =>
    `If it happens again, write to our support and give this reference: ${requestId}`,
  /** By the code of the database, or by the HTTP status where there is none. */
  byKind: {
    '42501': 'Your account may not do this. If that surprises you, write to our support.',
    '23505': 'This already exists. Reload the page to see it.',
    '23503': 'This belongs to something that no longer exists. Reload the page and try again.',
    '23502': 'Something is missing. Please fill in all required fields.',
    '23514': 'One of the values is not accepted. A text may be too long or a number too large.',
    '22003': 'A number is too large. Please enter a smaller one.',
    '22001': 'A text is too long. Please shorten it.',
    '22P02': 'One of the values is not accepted. Please check what you entered.',
    '22007': 'A date is not accepted. Please check what you entered.',
    '22008': 'A date is not accepted. Please check what you entered.',
    '40001': 'Somebody else changed this at the same moment. Please try again.',
    '40P01': 'Somebody else changed this at the same moment. Please try again.',
    '53300': 'The server is very busy. Please wait a moment and try again.',
    '55P03': 'The server is very busy. Please wait a moment and try again.',
    '57014': 'This took too long. Please try again.',
    '413': 'The file is too large. Please choose a smaller one.',
    '415': 'Files of this type are not accepted. Please choose another one.',
    '429': 'You are doing this too often. Please wait a minute and try again.',
  },
  stale: 'This could not be read again. What you see may be out of date.',
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
