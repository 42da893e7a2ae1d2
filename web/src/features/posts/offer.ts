/** Facts of an offer, apart from the schema of the form, which readers need not load. */

/** Whether the car is still to be had. */
export const availabilities = ['available', 'pending', 'sold'] as const;
export type Availability = (typeof availabilities)[number];

export const MOST_PHOTOS = 30;

/** The photos as one list: the cover first, then the others in their order. */
export function galleryOf(cover: string | null, others: readonly string[] | null): string[] {
  return [...new Set([cover ?? '', ...(others ?? [])])].filter((url) => url.trim() !== '');
}

/** The list with one photo at another place; places outside of it change nothing. */
export function movedTo(gallery: readonly string[], from: number, to: number): string[] {
  const photo = gallery[from];
  if (photo === undefined || to < 0 || to >= gallery.length) return [...gallery];
  const others = gallery.filter((_, place) => place !== from);
  return [...others.slice(0, to), photo, ...others.slice(to)];
}
