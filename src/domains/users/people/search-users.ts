/** Finds people for the ADMIN of a business: those who work for it and those who bought from it, nobody else. */
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { forbiddenError } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import { loadPage, type Page } from '../../../lib/paging.ts';
import { holdsRoleSql, staffContactSource } from '../../businesses/staff/staff-sql.ts';
import { contactUserIdsSql, isVoluntaryContactSql } from '../../shared/business-contacts.ts';
import type { User } from '../model.ts';
import { loadUsersAsAdmin } from './read-users.ts';
import type { businessPeoplePageSchema, searchUsersSchema } from './schemas.ts';

type Search = z.output<typeof searchUsersSchema>;

/** Without a business: in all those where the viewer is ADMIN. */
export async function searchUsers(ctx: Context, filter: Search): Promise<Page<User>> {
  const held = await ctx.viewer.permissionsByBusiness();
  const administered = [...held].flatMap(([id, permissions]) => (permissions.has('ADMIN') ? [id] : []));
  const businessIds = administered.filter(
    (id) => filter.businessId === undefined || id === filter.businessId,
  );
  if (businessIds.length === 0) throw forbiddenError();
  return findPeople(ctx, `users:${businessIds.join()}`, businessIds, filter, contactUserIdsSql('$1'));
}

export interface BusinessMember {
  user: User;
  businessId: string;
}

/** The people who work for a business. */
export async function listBusinessMembers(
  ctx: Context,
  { businessId, ...args }: z.output<typeof businessPeoplePageSchema>,
): Promise<Page<BusinessMember>> {
  const found = await findPeople(
    ctx,
    `members:${businessId}`,
    [businessId],
    args,
    staffContactSource.selectUserIds('$1'),
  );
  return {
    ...found,
    nodes: found.nodes.map((user) => ({ user, businessId })),
    cursorOf: (member) => found.cursorOf(member.user),
  };
}

async function findPeople(
  ctx: Context,
  list: string,
  businessIds: readonly string[],
  filter: Partial<Omit<Search, 'businessId'>>,
  among: string,
): Promise<Page<User>> {
  const params: unknown[] = [businessIds];
  const conditions = [`u.id in (${among})`];
  const add = (value: unknown, condition: (param: string) => string) => {
    params.push(value);
    conditions.push(condition(`$${params.length}`));
  };
  const words = filter.query?.trim();
  if (words) {
    add(
      `%${words.replace(/[\\%_]/g, '\\$&')}%`,
      (param) =>
        `(${searched()
          .map((of) => `${of} ilike ${param}`)
          .join(' or ')})`,
    );
  }
  if (filter.roleIds) add(filter.roleIds.filter(isId), (param) => holdsRoleSql('u.id', '$1', param));
  const where = conditions.join(' and ');
  const next = params.length + 1;
  return loadPage({
    secret: ctx.keys.secret,
    list,
    args: filter,
    keyOf: (user) => user.id,
    async fetch({ after, before, backward }, limit) {
      const found = await ctx.db.sql<{ id: string }>(
        `select u.id from users u where ${where} and ($${next + 1}::uuid is null or u.id < $${next + 1})
           and ($${next + 2}::uuid is null or u.id > $${next + 2})
         order by u.id ${backward ? 'asc' : 'desc'} limit $${next}`,
        [...params, limit, after ?? null, before ?? null],
      );
      return loadUsersAsAdmin(
        ctx.db,
        found.map(({ id }) => id),
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

// A search for what is not shown would tell it.
const phones = () =>
  `case when ${isVoluntaryContactSql('u.id', '$1')} then array_to_string(u.phone_numbers, ' ') end`;
const searched = () => ['u.name', 'u.email', phones()];
