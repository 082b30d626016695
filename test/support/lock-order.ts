/** Lock order recorder: each transaction of a test database locks products first, then a promo code, then the order number. */
import type { OnTransaction } from '../../src/db/handles.ts';

/** Kinds of locks in the order in which a transaction may first take them, with the statements that take them. */
const lockKinds: readonly { name: string; pattern: RegExp }[] = [
  { name: 'products', pattern: /\bfrom products\b[^;]*\bfor update\b|\bupdate products\b/i },
  { name: 'promo code', pattern: /\bfrom promo_codes\b[^;]*\bfor update\b|\bupdate promo_codes\b/i },
  { name: 'order number', pattern: /\binsert into orders\b|\bupdate order_numbers\b/i },
];

export class LockOrderError extends Error {}

/** Throws LockOrderError for a statement that takes a lock after a lock of a later kind. A lock that is held already may be taken again. */
export const checkLockOrder: OnTransaction = () => {
  const held = new Set<number>();
  return (text) => {
    for (const [rank, { name, pattern }] of lockKinds.entries()) {
      if (held.has(rank) || !pattern.test(text)) continue;
      const later = [...held].find((other) => other > rank);
      if (later !== undefined)
        throw new LockOrderError(`Lock order: ${name} after ${lockKinds[later]?.name}. Statement: ${text}`);
      held.add(rank);
    }
  };
};

/** Throws LockOrderError for a statement whose expressions name the locks in another order. Each of them depends on the one before. */
export function checkStatementLockOrder(text: string): void {
  const found = lockKinds
    .map(({ name, pattern }) => ({ name, position: text.search(pattern) }))
    .filter(({ position }) => position >= 0);
  for (const [index, { name, position }] of found.entries())
    if (position < (found[index - 1]?.position ?? 0))
      throw new LockOrderError(`Lock order: ${name} before ${found[index - 1]?.name}. Statement: ${text}`);
}
