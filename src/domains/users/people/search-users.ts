/** User search for the ADMINs of a business. Returns its staff and other contacts, such as customers, and no other users. */
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { missingPermissionError } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import { loadKeysetPage, type Page } from '../../../lib/paging.ts';
import {
  buildRoleInBusinessConditionSql,
  staffContactSource,
} from '../../businesses/staff/register-staff-contacts.ts';
import {
  buildBusinessContactUserIdsQuerySql,
  buildVoluntaryBusinessContactConditionSql,
} from '../../shared/business-contact-registry.ts';
import type { User } from '../model.ts';
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
  const params: unknown[] = [businessIds];
  const conditions = [`u.id in (${userIdsSql})`];
  const addCondition = (value: unknown, condition: (param: string) => string) => {
    params.push(value);
    conditions.push(condition(`$${params.length}`));
  };
  const searchText = (filter.search ?? filter.query)?.trim();
  if (searchText) {
    addCondition(
      `%${searchText.replace(/[\\%_]/g, '\\$&')}%`,
      // Fields that the viewer may not see must not be searchable either: a hit would reveal them.
      (param) =>
        `(u.name ilike ${param} or u.email ilike ${param} or array_to_string(u.phone_numbers, ' ') ilike ${param})
         and ${buildVoluntaryBusinessContactConditionSql('u.id', '$1')}`,
    );
  }
  if (filter.roleIds)
    addCondition(filter.roleIds.filter(isId), (param) =>
      buildRoleInBusinessConditionSql('u.id', '$1', param),
    );
  const where = conditions.join(' and ');
  const next = params.length + 1;
  return loadKeysetPage({
    secret: ctx.keys.secret,
    list,
    args: filter,
    keyOf: (user) => user.id,
    async fetch({ after, before, backward }, limit) {
      const rows = await ctx.db.sql<{ id: string }>(
        `select u.id from users u where ${where} and ($${next + 1}::uuid is null or u.id < $${next + 1})
           and ($${next + 2}::uuid is null or u.id > $${next + 2})
         order by u.id ${backward ? 'asc' : 'desc'} limit $${next}`,
        [...params, limit, after ?? null, before ?? null],
      );
      return loadUsersWithFieldsForAdmin(
        ctx.db,
        rows.map(({ id }) => id),
        businessIds,
      );
    },
    async count() {
      const [row] = await ctx.db.sql<{ count: number }>(
        `select count(*)::int as count from users u where ${where}`,
        params,
      );
      return row?.count ?? 0;
    },
  });
}
