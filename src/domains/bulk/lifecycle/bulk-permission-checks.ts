/** Permissions of bulk operations: those needed to write single records, or to read all of them. */
import { identityStillHasAnyPermission, type ViewerIdentity } from '../../../auth/load-viewer-of-identity.ts';
import type { Permission } from '../../../auth/permissions-and-default-roles.ts';
import type { Viewer } from '../../../auth/viewer-and-authentication.ts';
import type { Db } from '../../../db/index.ts';
import { missingPermissionError } from '../../../errors.ts';
import { type BulkKind, type BulkResource, bulkKinds, bulkResources } from '../model.ts';

const permissionsByResource: Readonly<Record<BulkResource, Readonly<Record<BulkKind, Permission>>>> = {
  PRODUCTS: { IMPORT: 'PRODUCTS_WRITE', EXPORT: 'PRODUCTS_WRITE' },
  CATEGORIES: { IMPORT: 'PRODUCTS_WRITE', EXPORT: 'PRODUCTS_WRITE' },
  ENTRIES: { IMPORT: 'CONTENT_WRITE', EXPORT: 'CONTENT_WRITE' },
  // Importing vouches for the consent of the subscribers, as adding a single one does.
  SUBSCRIBERS: { IMPORT: 'NEWSLETTER_SEND', EXPORT: 'SUBSCRIBERS_READ' },
  ORDERS: { IMPORT: 'ORDERS_WRITE', EXPORT: 'ORDERS_READ' },
};

const requiredBulkPermission = (kind: BulkKind, resource: BulkResource) =>
  permissionsByResource[resource][kind];

/** A viewer with any of these permissions may use the bulk operations. */
export const permissionsForAnyBulkOperation: readonly Permission[] = [
  ...new Set(Object.values(permissionsByResource).flatMap((permissions) => Object.values(permissions))),
];

type OperationScope = { businessId: string; kind: BulkKind; resource: BulkResource };

export async function isBulkAllowed(
  viewer: Viewer,
  { businessId, kind, resource }: OperationScope,
): Promise<boolean> {
  return viewer.hasPermission(requiredBulkPermission(kind, resource), businessId);
}

/** Current permission of the holder of an upload form or a result link. */
export async function isBulkStillAllowed(
  db: Db,
  identity: ViewerIdentity,
  { businessId, kind, resource }: OperationScope,
): Promise<boolean> {
  return identityStillHasAnyPermission(db, identity, [requiredBulkPermission(kind, resource)], businessId);
}

export async function assertBulkAllowed(viewer: Viewer, scope: OperationScope): Promise<void> {
  if (!(await isBulkAllowed(viewer, scope)))
    throw missingPermissionError(requiredBulkPermission(scope.kind, scope.resource));
}

/** Combinations of kind and resource for which the viewer has the permission. */
export async function listAllowedBulkKindsAndResources(viewer: Viewer, businessId: string) {
  const allowed: { kind: BulkKind; resource: BulkResource }[] = [];
  for (const kind of bulkKinds)
    for (const resource of bulkResources)
      if (await isBulkAllowed(viewer, { businessId, kind, resource })) allowed.push({ kind, resource });
  return allowed;
}
