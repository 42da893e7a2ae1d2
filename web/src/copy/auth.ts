/** Sign-up, sign-in and the pages an e-mail leads to. */
export const fields = {
  fullName: 'Full name',
  companyName: 'Company name',
  country: 'Country',
  countryPlaceholder: 'Select a country',
  countrySearch: 'Search a country',
  countryNone: 'No country found',
  city: 'City',
  phone: 'Phone',
  email: 'Email',
  password: 'Password',
  confirmPassword: 'Confirm password',
  showPassword: 'Show password',
  passwordHint: 'At least 8 characters.',
  terms: 'I agree to the',
  termsLink: 'terms and conditions',
  userType: 'I want to join as',
  allRequired: 'All fields are required.',
  required: 'required',
  optional: 'optional',
} as const;

export const signUp = {
  importer: {
    title: 'Register as an importer',
    lead: 'Free, for good. Tell agents who you are and where the car should go.',
    submit: 'Register as Importer - Free',
    busy: 'Registering...',
    failed: 'Signup failed',
  },
  agent: {
    title: 'Register as an agent',
    lead: 'Open your account first; verification follows with two documents.',
    submit: 'Create Agent Account',
    busy: 'Creating account...',
    failed: 'Signup failed',
  },
  haveAccount: 'Already have an account?',
  signIn: 'Sign in',
  duplicate: 'An account with this email already exists. Please sign in instead.',
} as const;

export const signIn = {
  importer: {
    title: 'Importer sign in',
    lead: 'Your offers, requests and conversations.',
    wrongDoor: { title: 'Access denied', text: 'This signin page is for importers only.' },
    success: 'Successfully signed in as an importer.',
    otherDoor: 'Are you an export agent?',
    otherDoorLink: 'Agent sign in',
    noAccount: 'New to Minato?',
    register: 'Register as an importer',
  },
  agent: {
    title: 'Agent sign in',
    lead: 'Your posts, invitations and conversations.',
    wrongDoor: { title: 'Access denied', text: 'This signin page is for agents only.' },
    success: 'Successfully signed in as an agent.',
    otherDoor: 'Are you importing a car?',
    otherDoorLink: 'Importer sign in',
    noAccount: 'New to Minato?',
    register: 'Register as an agent',
  },
  submit: 'Sign In',
  busy: 'Signing in...',
  welcome: 'Welcome back!',
  failed: 'Sign In Failed',
  invalid: { title: 'Invalid credentials', text: 'Please check your email and password and try again.' },
  notConfirmed: {
    title: 'Email not confirmed',
    text: 'Please check your email and click the confirmation link before signing in.',
  },
  notActivated: {
    title: 'Email not confirmed',
    text: 'Please check your email and click the confirmation link to activate your account.',
  },
} as const;

export const combined = {
  title: 'Sign in or join',
  lead: 'One account for everything: offers, requests and conversations.',
  tabs: { signIn: 'Sign In', signUp: 'Sign Up' },
  importer: 'Importer',
  importerHint: 'I buy cars from abroad',
  agent: 'Agent',
  agentHint: 'I export cars',
  signUpSubmit: 'Create Account',
  signUpBusy: 'Creating account...',
  success: 'You have been successfully signed in.',
  invalid: 'Invalid email or password. Please check your credentials and try again.',
  signInFailed: 'Sign In Failed',
  signUpFailed: 'Sign Up Failed',
  done: {
    title: 'Thanks for signing up!',
    text: 'Please check your email and confirm your account to continue.',
    back: 'Back to Sign Up',
  },
} as const;

export const emailVerification = {
  title: 'Check your email',
  sent: 'We have sent a verification email to',
  sentNoAddress: 'We have sent a verification email to the address you gave.',
  nextSteps: 'Next steps',
  steps: [
    'Check your inbox',
    'Click the link in the email',
    'Complete your profile setup',
    'Start connecting with partners',
  ],
  signIn: 'Already verified? Sign In',
  home: 'Return to Home',
  open: 'Confirm your email',
  codeLead: 'Open the link in the mail, or enter its code here.',
  wrongAddress: 'Wrong address?',
  correct: 'Correct it and sign up again',
  otherAddress: 'Use another one',
  askAddress: 'Which address did you sign up with? We send the mail again, with a link and a code.',
  resendLead: 'Nothing arrived? Look in the spam folder, or',
  resend: 'send it again',
  resending: 'sending...',
} as const;

export const emailConfirmed = {
  busy: 'Confirming your email...',
  title: 'Email Confirmed!',
  text: 'Your account is now activated and ready to use.',
  signIn: 'Sign In to Your Account',
  failedToast: {
    title: 'Confirmation failed',
    text: 'There was an error confirming your email. Please try again.',
  },
  failedTitle: 'This link did not work',
  failedText: 'It may have been used already, or it has expired. Enter your address and we send a new one.',
  resend: 'Send a new link',
  resending: 'Sending...',
  stillSignedIn: (email: string) =>
    `You are still signed in here as ${email}. Signing in to the new account ends that.`,
  signInQuestion: 'Already confirmed?',
  signInInstead: 'Sign in',
} as const;

/** The field that takes the code of a mail. */
export const mailCode = {
  label: 'Confirmation code',
  confirm: 'Confirm',
  busy: 'Checking...',
  failed: 'That code did not work',
  refused: 'It is wrong or too old. Check it, or have the mail sent again.',
} as const;

/** A link that was used, or came too late, leads to the page it was meant for and says so there. */
export const linkFailure = {
  title: 'This link did not work',
  text: 'It has been used already, or it is too old.',
  again: 'Send me a new one',
} as const;

export const resent = {
  title: 'Email sent',
  text: 'If the address waits for confirmation, a new link is on its way.',
  failed: 'The email could not be sent',
} as const;

export const checkedFacts = {
  title: 'What stands behind a deal here',
  items: [
    [
      'Verified by hand',
      'Our team checks an identity document and a company proof before an agent gets the blue seal.',
    ],
    ['No commission', 'Joining is free for importers, and nothing is taken from a deal.'],
    ['Direct', 'You talk, agree and pay directly with the agent. Nobody stands in between.'],
  ],
} as const;

/** A forgotten password: the mail that is asked for on the sign-in pages, and the form its link opens on /auth. */
export const recovery = {
  open: 'Forgot password?',
  title: 'Reset your password',
  lead: 'Enter the address of your account. We send a link that lets you choose a new password.',
  send: 'Send the link',
  sending: 'Sending...',
  sent: { title: 'Email sent', text: 'If an account has this address, a link is on its way.' },
  failed: 'The email could not be sent',
  codeLead: 'Open the link in the mail, or enter its code. We sent it to',
  codeSubmit: 'Continue',
  newTitle: 'Choose a new password',
  newLead: 'When you save it, your other devices are signed out.',
  newPassword: 'New password',
  save: 'Save password',
  saving: 'Saving...',
  saved: { title: 'Password changed', text: 'Use it the next time you sign in.' },
  leave: 'Leave without changing it',
  notSaved: 'The password was not changed',
} as const;
