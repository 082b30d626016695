/** User search for the ADMINs of a business. Returns its staff and other contacts, such as customers, and no other users. */
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { missingPermissionError } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import { loadKeysetPage, type Page } from '../../../lib/paging.ts';
import { staffContactSource } from '../../businesses/staff/register-staff-contacts.ts';
import { buildBusinessContactUserIdsQuerySql } from '../../shared/business-contact-registry.ts';
import type { User } from '../model.ts';
import { createContactIdSource } from './contact-id-source.ts';
import { loadUsersWithFieldsForAdmin } from './load-users-with-visible-fields.ts';
import type { listBusinessStaffSchema, searchUsersSchema } from './schemas.ts';

type Search = z.output<typeof searchUsersSchema>;

/** Without `businessId`: searches all businesses in which the viewer has ADMIN. */
export async function searchUsers(ctx: Context, filter: Search): Promise<Page<User>> {
  const permissionsByBusiness = await ctx.viewer.permissionsByBusiness();
  const administered = [...permissionsByBusiness].flatMap(([id, permissions]) =>
    permissions.has('ADMIN') ? [id] : [],
  );
  const businessIds = administered.filter(
    (id) => filter.businessId === undefined || id === filter.businessId,
  );
  if (businessIds.length === 0) throw missingPermissionError('ADMIN');
  return findUsers(
    ctx,
    `users:${businessIds.join()}`,
    businessIds,
    filter,
    buildBusinessContactUserIdsQuerySql('$1'),
  );
}

export interface BusinessMember {
  user: User;
  businessId: string;
}

/** Staff of a business. */
export async function listBusinessMembers(
  ctx: Context,
  { businessId, ...args }: z.output<typeof listBusinessStaffSchema>,
): Promise<Page<BusinessMember>> {
  const page = await findUsers(
    ctx,
    `members:${businessId}`,
    [businessId],
    args,
    staffContactSource.selectUserIds('$1'),
  );
  return {
    ...page,
    nodes: page.nodes.map((user) => ({ user, businessId })),
    cursorOf: (member) => page.cursorOf(member.user),
  };
}

async function findUsers(
  ctx: Context,
  list: string,
  businessIds: readonly string[],
  filter: Partial<Omit<Search, 'businessId'>>,
  userIdsSql: string,
): Promise<Page<User>> {
  const text = (filter.search ?? filter.query)?.trim();
  const { fetchIds, count } = createContactIdSource(ctx.db, {
    businessIds,
    userIdsSql,
    pattern: text ? `%${text.replace(/[\\%_]/g, '\\$&')}%` : undefined,
    roleIds: filter.roleIds?.filter(isId),
  });
  return loadKeysetPage({
    secret: ctx.keys.secret,
    list,
    args: filter,
    keyOf: (user) => user.id,
    fetch: async (range, limit) =>
      loadUsersWithFieldsForAdmin(ctx.db, await fetchIds(range, limit), businessIds),
    count,
  });
}
