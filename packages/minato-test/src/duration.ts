/** Seconds, or words: `'250ms'`, `'1h30m'`, `'7d'`. */
export type Duration = number | string;
