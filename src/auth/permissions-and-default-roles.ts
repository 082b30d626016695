/** Permissions of roles and API keys, and the default roles of a business. */
import { permissionMeanings, permissions } from '../generated/domains/permissions-events-and-topics.ts';

export { permissionMeanings, permissions };

export type Permission = (typeof permissions)[number];

/** ADMIN includes every permission; ORDERS_WRITE includes ORDERS_READ. */
export function allowsPermission(granted: ReadonlySet<string> | undefined, required: Permission): boolean {
  if (!granted) return false;
  return (
    granted.has('ADMIN') ||
    granted.has(required) ||
    (required === 'ORDERS_READ' && granted.has('ORDERS_WRITE'))
  );
}

/** Roles that every new business gets. */
export const defaultRoles: ReadonlyArray<{ name: string; permissions: readonly Permission[] }> = [
  { name: 'ADMIN', permissions: ['ADMIN'] },
  { name: 'MANAGER', permissions: permissions.filter((name) => name !== 'ADMIN') },
  { name: 'EDITOR', permissions: ['CONTENT_WRITE', 'NEWSLETTER_SEND'] },
];
