/**
 * Keeps what is being read in place: while the list is scrolled, offers that arrive are counted and held back until
 * the reader asks for them.
 */
import { useState } from 'react';
import type { Post } from './data/posts-query';

const SCROLLED_PX = 160;

export function splitArrivals(posts: readonly Post[], shown: ReadonlySet<string>) {
  return {
    visible: posts.filter((post) => shown.has(post.id)),
    arrivals: posts.filter((post) => !shown.has(post.id)).length,
  };
}

export function useHeldArrivals(posts: readonly Post[]) {
  const [seen, setSeen] = useState<{ posts: readonly Post[]; ids: ReadonlySet<string> }>(() => admit(posts));
  if (seen.posts !== posts) {
    const isReading = seen.ids.size > 0 && window.scrollY > SCROLLED_PX;
    setSeen(isReading ? { posts, ids: seen.ids } : admit(posts));
  }
  return { ...splitArrivals(posts, seen.ids), showArrivals: () => setSeen(admit(posts)) };
}

function admit(posts: readonly Post[]) {
  return { posts, ids: new Set(posts.map((post) => post.id)) };
}
