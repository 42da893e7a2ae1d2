/** The terms of use. */
export const terms = {
  title: 'Terms of use',
  intro: 'Minato is a directory and a place to talk. The rules are short.',
  items: [
    [
      'What we do',
      'We list export agents and car offers, carry messages and show reviews. We check agents by hand.',
    ],
    [
      'What we do not do',
      'We execute no trade, hold no money, ship no car and take no commission on a deal.',
    ],
    ['Your deal', 'Price, payment, shipping and condition are agreed directly between importer and agent.'],
    [
      'Your account',
      'Give true details, keep your password to yourself and write nothing unlawful or misleading.',
    ],
    [
      'Verification',
      'A blue seal says that an identity document and a company proof were checked on the date shown.',
    ],
    ['Leaving', 'You can delete your account at any time in Settings.'],
  ],
} as const;
