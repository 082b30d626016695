/** Of records of whatever business, those that the viewer may see for a permission they hold there. */
import type { Permission } from '../../auth/permissions.ts';
import type { Context } from '../../context.ts';

/** By id. Of several permissions, any will do. */
export async function filterVisibleToStaff<Kind extends { id: string; businessId: string }>(
  { viewer }: Context,
  permissions: readonly Permission[],
  records: readonly Kind[],
): Promise<Map<string, Kind>> {
  const found = new Map<string, Kind>();
  for (const record of records)
    for (const permission of permissions)
      if (await viewer.hasPermission(permission, record.businessId)) found.set(record.id, record);
  return found;
}
