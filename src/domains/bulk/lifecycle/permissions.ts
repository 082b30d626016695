/** Who may import and export what: whoever may write it, or read all of it, one by one. */
import type { Permission } from '../../../auth/permissions.ts';
import { stillHasPermission, type Viewer, type ViewerIdentity } from '../../../auth/viewer.ts';
import type { Db } from '../../../db/handles.ts';
import { forbiddenError } from '../../../errors.ts';
import { type BulkKind, type BulkResource, bulkKinds, bulkResources } from '../model.ts';

const rights: Readonly<Record<BulkResource, Readonly<Record<BulkKind, Permission>>>> = {
  PRODUCTS: { IMPORT: 'PRODUCTS_WRITE', EXPORT: 'PRODUCTS_WRITE' },
  ENTRIES: { IMPORT: 'CONTENT_WRITE', EXPORT: 'CONTENT_WRITE' },
  // Whoever imports them vouches for them, as whoever adds one does.
  SUBSCRIBERS: { IMPORT: 'NEWSLETTER_SEND', EXPORT: 'SUBSCRIBERS_READ' },
  ORDERS: { IMPORT: 'ORDERS_WRITE', EXPORT: 'ORDERS_READ' },
};

export const requiredBulkPermission = (kind: BulkKind, resource: BulkResource) => rights[resource][kind];

/** Any of them lets somebody ask at all. */
export const bulkPermissions: readonly Permission[] = [
  ...new Set(Object.values(rights).flatMap((one) => Object.values(one))),
];

type What = { businessId: string; kind: BulkKind; resource: BulkResource };

export async function isBulkAllowed(viewer: Viewer, { businessId, kind, resource }: What): Promise<boolean> {
  return viewer.hasPermission(requiredBulkPermission(kind, resource), businessId);
}

/** For those who come back with a form or a link. */
export async function isBulkStillAllowed(
  db: Db,
  asker: ViewerIdentity,
  { businessId, kind, resource }: What,
): Promise<boolean> {
  return stillHasPermission(db, asker, [requiredBulkPermission(kind, resource)], businessId);
}

export async function assertBulkAllowed(viewer: Viewer, what: What): Promise<void> {
  if (!(await isBulkAllowed(viewer, what))) throw forbiddenError();
}

/** All that the viewer may see of the operations of a business. */
export async function listAllowedBulkKinds(viewer: Viewer, businessId: string) {
  const allowed: { kind: BulkKind; resource: BulkResource }[] = [];
  for (const kind of bulkKinds)
    for (const resource of bulkResources)
      if (await isBulkAllowed(viewer, { businessId, kind, resource })) allowed.push({ kind, resource });
  return allowed;
}
