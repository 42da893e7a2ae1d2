/** Joins class names; a later one wins over an earlier one of the same kind. */
import { clsx, type ClassValue } from 'clsx';
import { createTailwindMerge } from 'tailwind-merge';
import { classGroups } from './class-groups';

const merge = createTailwindMerge(classGroups);

export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
