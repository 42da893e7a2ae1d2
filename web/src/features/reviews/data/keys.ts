/** Whether a list holds what was written about the member, or by the member. */
export type ReviewSide = 'about' | 'by';

export const reviewKeys = {
  all: ['reviews'] as const,
  lists: ['reviews', 'list'] as const,
  list: (side: ReviewSide, userId: string) => ['reviews', 'list', side, userId] as const,
  figures: (userId: string) => ['reviews', 'figures', userId] as const,
};
