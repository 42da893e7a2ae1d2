export const reviewKeys = {
  all: ['reviews'] as const,
  about: (userId: string) => ['reviews', 'about', userId] as const,
  by: (userId: string) => ['reviews', 'by', userId] as const,
};
