/** Filters records of several businesses by the permissions of the viewer in each business. */
import type { Permission } from '../../auth/permissions-and-default-roles.ts';
import type { Context } from '../../context.ts';

/** Returns the visible records by id. Any one of `permissions` suffices. */
export async function filterRecordsVisibleToStaff<Kind extends { id: string; businessId: string }>(
  { viewer }: Context,
  permissions: readonly Permission[],
  records: readonly Kind[],
): Promise<Map<string, Kind>> {
  const visible = new Map<string, Kind>();
  for (const record of records)
    for (const permission of permissions)
      if (await viewer.hasPermission(permission, record.businessId)) visible.set(record.id, record);
  return visible;
}
