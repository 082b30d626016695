/** What a role may allow, and how a set of permissions answers a question. */
import { permissionMeanings, permissions } from '../generated/domains/vocabulary.ts';

export { permissionMeanings, permissions };

export type Permission = (typeof permissions)[number];

/** ADMIN allows everything; writing orders includes reading them. */
export function allowsPermission(held: ReadonlySet<string> | undefined, wanted: Permission): boolean {
  if (!held) return false;
  return held.has('ADMIN') || held.has(wanted) || (wanted === 'ORDERS_READ' && held.has('ORDERS_WRITE'));
}

/** The roles every new business starts with. */
export const defaultRoles: ReadonlyArray<{ name: string; permissions: readonly Permission[] }> = [
  { name: 'ADMIN', permissions: ['ADMIN'] },
  { name: 'MANAGER', permissions: permissions.filter((name) => name !== 'ADMIN') },
  { name: 'EDITOR', permissions: ['CONTENT_WRITE', 'NEWSLETTER_SEND'] },
];
