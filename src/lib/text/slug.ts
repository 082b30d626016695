/** URL slugs made from names. */
import { truncateText } from './escape-text.ts';

/** "Crème brûlée, 2 pcs" becomes `creme-brulee-2-pcs`. */
export function slugify(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-/, '');
  return truncateText(words, 100).replace(/-$/, '') || 'untitled';
}

/** Returns the first of `base`, `base-2`, `base-3`, … that is not in `existing`. */
export function firstFreeSlug(base: string, existing: ReadonlySet<string>): string {
  if (!existing.has(base)) return base;
  let number = 2;
  while (existing.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}
