/** Every URL of the site, written once. The router, links and browser tests all read it from here. */
export type UserType = 'agent' | 'importer';

export const paths = {
  home: '/',
  auth: '/auth',
  terms: '/terms',
  /** Where the link in a mail stops such mails, without a sign-in. */
  mails: (token: string) => `/mails/${token}`,
  /** One car on offer, for every member. */
  car: (postId: string) => `/cars/${postId}`,
  emailConfirmed: '/email-confirmed',
  emailVerification: '/email-verification',
  agent: {
    root: '/agent',
    signUp: '/agent/signup',
    signIn: '/agent/signin',
    profileCompletion: '/agent/profile-completion',
    payment: '/agent/payment',
    dashboard: '/agent/dashboard',
    profile: '/agent/profile',
    feed: '/agent/feed',
    importerFeed: '/agent/importer-feed',
    createPost: '/agent/create-post',
    importPosts: '/agent/stock/import',
    editPost: (postId: string) => `/agent/stock/${postId}/edit`,
    requests: '/agent/requests',
    invitations: '/agent/invitations',
    messages: '/agent/messages',
    chat: (requestId: string) => `/agent/chat/${requestId}`,
    reviews: '/agent/reviews',
    settings: '/agent/settings',
    support: '/agent/settings/support',
    ticket: (ticketId: string) => `/agent/settings/support/${ticketId}`,
    publicProfile: (agentId: string) => `/agent/profile/${agentId}`,
  },
  importer: {
    root: '/importer',
    signUp: '/importer/signup',
    signIn: '/importer/signin',
    dashboard: '/importer/dashboard',
    profile: '/importer/profile',
    agents: '/importer/agents',
    feed: '/importer/feed',
    availableCars: '/importer/available-cars',
    savedCars: '/importer/saved-cars',
    requests: '/importer/requests',
    postRequest: '/importer/post-request',
    postAgain: (requestId: string) => `/importer/post-request?again=${requestId}`,
    messages: '/importer/messages',
    reviews: '/importer/reviews',
    settings: '/importer/settings',
    support: '/importer/settings/support',
    ticket: (ticketId: string) => `/importer/settings/support/${ticketId}`,
    publicProfile: (importerId: string) => `/importer/profile/${importerId}`,
  },
  admin: {
    root: '/admin',
    signUp: '/admin/signup',
    signUpSuccess: '/admin/signup-success',
    login: '/admin/login',
    dashboard: '/admin/dashboard',
    agents: '/admin/agents',
    importers: '/admin/importers',
    requests: '/admin/requests',
    messages: '/admin/messages',
    analytics: '/admin/analytics',
    audit: '/admin/audit',
    mails: '/admin/mails',
    settings: '/admin/settings',
  },
} as const;

/** The address /email-verification carries the door the person came in by. */
export function emailVerificationPath(type: UserType): string {
  return `${paths.emailVerification}?type=${type}`;
}

/** `/agent/signin`, `/importer/signin`, otherwise the combined page. */
export function signInPath(type: string | null | undefined): string {
  return isUserType(type) ? paths[type].signIn : paths.auth;
}

/** `/agent/dashboard`, `/importer/dashboard`, otherwise null: an unknown type has no dashboard. */
export function dashboardPath(type: string | null | undefined): string | null {
  return isUserType(type) ? paths[type].dashboard : null;
}

export function isUserType(value: unknown): value is UserType {
  return value === 'agent' || value === 'importer';
}

/** A conversation's address that names the request it is about, where there is one. */
export function withSubject(conversation: string, requestId: string | null): string {
  return requestId === null ? conversation : `${conversation}&request=${requestId}`;
}
