/** Who may import and export what: whoever may write it, or read all of it, one by one. */
import type { Permission } from '../../auth/permissions.ts';
import { type Asker, mayStill, type Viewer } from '../../auth/viewer.ts';
import type { Db } from '../../db/sql.ts';
import { forbidden } from '../../errors.ts';
import { type BulkKind, type BulkResource, bulkKinds, bulkResources } from './model.ts';

const rights: Readonly<Record<BulkResource, Readonly<Record<BulkKind, Permission>>>> = {
  PRODUCTS: { IMPORT: 'PRODUCTS_WRITE', EXPORT: 'PRODUCTS_WRITE' },
  ENTRIES: { IMPORT: 'CONTENT_WRITE', EXPORT: 'CONTENT_WRITE' },
  // Whoever imports them vouches for them, as whoever adds one does.
  SUBSCRIBERS: { IMPORT: 'NEWSLETTER_SEND', EXPORT: 'SUBSCRIBERS_READ' },
  ORDERS: { IMPORT: 'ORDERS_WRITE', EXPORT: 'ORDERS_READ' },
};

export const rightFor = (kind: BulkKind, resource: BulkResource) => rights[resource][kind];

/** Any of them lets somebody ask at all. */
export const someRights: readonly Permission[] = [
  ...new Set(Object.values(rights).flatMap((one) => Object.values(one))),
];

type What = { businessId: string; kind: BulkKind; resource: BulkResource };

export async function mayDo(viewer: Viewer, { businessId, kind, resource }: What): Promise<boolean> {
  return viewer.can(rightFor(kind, resource), businessId);
}

/** For those who come back with a form or a link. */
export async function mayStillDo(
  db: Db,
  asker: Asker,
  { businessId, kind, resource }: What,
): Promise<boolean> {
  return mayStill(db, asker, [rightFor(kind, resource)], businessId);
}

export async function expectRight(viewer: Viewer, what: What): Promise<void> {
  if (!(await mayDo(viewer, what))) throw forbidden();
}

/** All that the viewer may see of the operations of a business. */
export async function allowedTo(viewer: Viewer, businessId: string) {
  const allowed: { kind: BulkKind; resource: BulkResource }[] = [];
  for (const kind of bulkKinds)
    for (const resource of bulkResources)
      if (await mayDo(viewer, { businessId, kind, resource })) allowed.push({ kind, resource });
  return allowed;
}
