/** Joins class names; a later one wins over an earlier one of the same kind. */
import { clsx, type ClassValue } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

const merge = extendTailwindMerge({
  extend: { classGroups: { 'font-size': [{ text: ['display', 'h1', 'h2', 'h3', 'small', 'label'] }] } },
});

export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
