/** Questions to the team, as far as the frame of an area speaks of them. */
export const questions = {
  waiting: (count: number) =>
    count === 1 ? 'question waits for your answer' : 'questions wait for your answer',
  failed: 'Failed to fetch your questions',
} as const;
