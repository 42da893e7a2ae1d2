/** Files that the back office writes: what stands above the columns, where the screen says it otherwise. */
export const csvFile = {
  export: 'Export CSV',
  exporting: 'Exporting...',
  failed: 'The file could not be written',
  name: (list: string, day: string) => `${list.toLowerCase().replaceAll(' ', '-')}_${day}.csv`,
} as const;

export const csvColumns = {
  name: 'Name',
  company: 'Company',
  email: 'Email',
  phone: 'Phone',
  city: 'City',
  country: 'Country',
  joined: 'Member since',
  missing: 'Missing documents',
  fee: 'Fee (PKR)',
  reviews: 'Reviews',
  completed: 'Completed requests',
  success: 'Success rate (%)',
  spent: 'Spent (USD)',
  make: 'Make',
  model: 'Model',
  budgetMin: 'Budget from (USD)',
  budgetMax: 'Budget to (USD)',
  progress: 'Progress (%)',
  answers: 'Answers',
  participant: (index: number) => `Participant ${index}`,
  firstMessage: 'First message',
} as const;
