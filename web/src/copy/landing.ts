/** The landing page. Sample figures and section names are documented; the explaining sentences are ours. */
export const landing = {
  nav: {
    label: 'Sections',
    howItWorks: 'How It Works',
    forImporters: 'For Importers',
    forAgents: 'For Agents',
    menu: 'Menu',
    closeMenu: 'Close menu',
  },
  header: {
    signIn: 'Sign In',
    getStarted: 'Get Started',
    welcome: 'Welcome, ',
    dashboards: { agent: 'Agent Dashboard', importer: 'Importer Dashboard', admin: 'Admin Dashboard' },
  },
  hero: {
    headline: 'The Key to Successful Car Import is',
    words: ['Trust', 'Expertise', 'Connection', 'Success'],
    lead: 'Car importers around the world meet export agents, mainly in Japan. Every agent is checked by hand; you talk and deal directly, without commission.',
    start: 'Start Now',
    pause: 'Pause the headline',
    play: 'Play the headline',
  },
  sheet: {
    title: 'Agent overview',
    tag: 'Sample',
    figures: [
      ['24', 'Active Listings'],
      ['16', 'New Messages'],
      ['8', 'Countries'],
      ['+127%', 'Reach'],
    ],
    note: 'Sample figures of one agent account.',
  },
  figuresLabel: 'Minato in figures',
  figures: [
    ['500+', 'Verified agents'],
    ['50+', 'Countries'],
    ['10K+', 'Cars traded'],
  ],
  how: {
    title: 'How It Works',
    step: 'Step',
    steps: [
      [
        'Sign up as importer or agent',
        'Importers join free. Agents are verified by hand before they carry the blue seal.',
      ],
      [
        'Connect and chat',
        'Post what you are looking for or browse live offers. Messages arrive in real time, and you are notified of what is new.',
      ],
      [
        'Connect directly and trade independently',
        'Price, payment and shipping are agreed between the two of you. We take nothing.',
      ],
    ],
  },
  reach: {
    title: 'From Japan to your port',
    text: 'Importers in these twelve countries and many more find their agent here. There are no geographic restrictions.',
    countries: [
      ['jm', 'Jamaica'],
      ['pk', 'Pakistan'],
      ['ke', 'Kenya'],
      ['ae', 'UAE'],
      ['bd', 'Bangladesh'],
      ['gb', 'United Kingdom'],
      ['ng', 'Nigeria'],
      ['tz', 'Tanzania'],
      ['lk', 'Sri Lanka'],
      ['tt', 'Trinidad'],
      ['bb', 'Barbados'],
      ['gy', 'Guyana'],
    ],
  },
  importers: {
    title: 'For Importers',
    lead: 'Find the car and the person behind it.',
    points: [
      'Post the car you want, with budget and port',
      'Browse offers and verified agents',
      'Chat, follow agents and save offers',
      'Read reviews by other importers, and write your own',
    ],
    join: 'Join as Importer - Free',
  },
  agents: {
    title: 'For Agents',
    lead: 'Reach buyers who know what they want.',
    points: [
      'Publish offers to a live feed',
      'Receive direct messages from buyers',
      'Invite importers whose request you can fill',
      'Upgrade by bank transfer or local payment methods',
      'Your listing is approved after verification, within 24-48 hours',
    ],
    join: 'Join as Agent',
  },
  why: {
    title: 'Why Choose Minato',
    benefits: [
      ['Manually verified agents', 'Identity and company are checked by our team, and the seal says when.'],
      ['No middlemen, no commissions', 'A directory and a conversation. The deal stays yours.'],
      ['No geographic restrictions', 'Any country, any port. Each offer names its basis and its way.'],
      ['Ratings and reviews', 'Written by importers who were connected with the agent.'],
    ],
  },
  closing: {
    title: 'The next sheet could be your car.',
    joinAgent: 'Join as Agent',
    joinImporter: 'Join as Importer',
    getStarted: 'Get Started',
  },
  footer: {
    support: 'Support',
    location: 'Location',
    place: 'Yokohama, Japan',
    legal: ['Privacy Policy', 'Terms of Service', 'Cookie Policy'],
    copyright: '© 2025 Minato. Deals are made directly between importer and agent.',
  },
  profileWaiting: {
    title: 'Your profile is not ready yet',
    text: 'You are signed in, but your profile could not be read.',
    retry: 'Retry',
  },
} as const;
