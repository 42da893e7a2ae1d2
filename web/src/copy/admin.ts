/** The administrator's entry and the frame of the back office. */
export const adminSignUp = {
  title: 'Admin Signup',
  lead: 'For the one address this installation names as its administrator.',
  submit: 'Create Admin Account',
  busy: 'Creating Account...',
  denied: { title: 'Access Denied', text: 'This signup is only for the authorized admin email.' },
  failed: 'Signup Failed',
  unexpected: { title: 'Error', text: 'An unexpected error occurred. Please try again.' },
  success: { title: 'Signup Successful', text: 'Admin account created successfully.' },
  confirm: 'Confirm the address by the mail we sent and set your password there, then log in.',
  closed: 'The sign-up is closed on this installation. Its operator can open it again.',
  haveAccount: 'Account exists already?',
  login: 'Go to the login',
} as const;

/** Between the confirmed address and the back office. */
export const adminClaim = {
  title: 'Set your password',
  lead: 'The link in the mail shows that this address is yours. Set your password to open the back office; every other session of the account ends.',
  password: 'Password',
  submit: 'Open the back office',
  busy: 'Opening...',
  failed: 'The back office stays closed',
  stale: 'This session is too old. Ask for a new link and set the password by way of it.',
  mailTitle: 'One step left',
  mailLead: (email: string) =>
    `The back office opens for whoever answers a mail to ${email} and then sets the password.`,
  send: 'Send me the link',
  sending: 'Sending...',
  sent: { title: 'Email sent', text: 'Open its link in this browser and set your password.' },
  notSent: 'The email could not be sent',
  leave: 'Sign out',
} as const;

export const adminSignUpSuccess = {
  title: 'Signup Successful',
  text: 'Please log in to continue.',
  note: 'You are taken to the login in a moment.',
  login: 'Log in now',
} as const;

export const adminLogin = {
  title: 'Admin Panel',
  submit: 'Sign In',
  busy: 'Signing in...',
  mail: {
    title: 'One mail is on its way',
    text: 'Open its link, which confirms the address, and set your password there. Then log in.',
  },
  foreign: 'Unauthorized access. Only authorized administrators can access this area.',
  invalid:
    'Invalid email or password. If you just signed up, please check your email and confirm your account first.',
  notConfirmed: 'Please check your email and click the confirmation link before logging in.',
  failed: (message: string) => `Login failed: ${message}`,
  notAdmin: 'Unauthorized access.',
  unexpected: 'An unexpected error occurred. Please try again.',
  success: 'Welcome to the admin dashboard!',
  denied: { title: 'Access Denied', text: 'You must be logged in as admin to view this page' },
  signedInAs: 'Signed in as',
  home: 'Return to Home',
  tryAgain: 'Sign Out and Try Again',
  noAccount: 'No account yet?',
  signUp: 'Admin Signup',
} as const;
