/** Finds people for the ADMIN of a business: those who work for it and those who bought from it, nobody else. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { forbidden } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import { type Page, page } from '../../lib/paging.ts';
import { holdsRole, staff } from '../businesses/staff.ts';
import { isTiedByChoice, tiedPeople } from '../shared/ties.ts';
import type { User } from './model.ts';
import type { membersCheck, searchCheck } from './people-checks.ts';
import { readOthers } from './read-users.ts';

type Search = z.output<typeof searchCheck>;

/** Without a business: in all those where the viewer is ADMIN. */
export async function searchUsers(ctx: Context, filter: Search): Promise<Page<User>> {
  const held = await ctx.viewer.held();
  const administered = [...held].flatMap(([id, permissions]) => (permissions.has('ADMIN') ? [id] : []));
  const businessIds = administered.filter(
    (id) => filter.businessId === undefined || id === filter.businessId,
  );
  if (businessIds.length === 0) throw forbidden();
  return findPeople(ctx, `users:${businessIds.join()}`, businessIds, filter, tiedPeople('$1'));
}

export interface Member {
  user: User;
  businessId: string;
}

/** The people who work for a business. */
export async function listMembers(
  ctx: Context,
  { businessId, ...args }: z.output<typeof membersCheck>,
): Promise<Page<Member>> {
  const found = await findPeople(ctx, `members:${businessId}`, [businessId], args, staff.people('$1'));
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
  if (filter.roleIds) add(filter.roleIds.filter(isId), (param) => holdsRole('u.id', '$1', param));
  const where = conditions.join(' and ');
  const next = params.length + 1;
  return page({
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
      return readOthers(
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
  `case when ${isTiedByChoice('u.id', '$1')} then array_to_string(u.phone_numbers, ' ') end`;
const searched = () => ['u.name', 'u.email', phones()];
