/** Roles of a business. Whatever happens to them, somebody must remain who may do everything. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { describeDbError } from '../../db/errors.ts';
import { lockNamed } from '../../db/named-lock.ts';
import type { Queries } from '../../db/sql.ts';
import { invalid, notFound } from '../../errors.ts';
import type { Role } from '../../generated/prisma/client.ts';
import { once } from '../../idempotency.ts';
import { isId, newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import {
  deleteStored,
  type ListArgs,
  listConfiguration,
  type RecordAddress,
  taken,
  uniqueOr,
} from '../shared/configuration.ts';
import type { createRoleCheck, updateRoleCheck } from './checks.ts';

export const findRole = (ctx: Context, at: RecordAddress): Promise<Role | null> => findRoleIn(ctx.db, at);

const findRoleIn = async ({ prisma }: Queries, { businessId, id }: RecordAddress): Promise<Role | null> =>
  isId(businessId) && isId(id) ? prisma.role.findFirst({ where: { businessId, id } }) : null;

export const listRoles = (ctx: Context, args: ListArgs) =>
  listConfiguration<Role>(ctx, 'roles', args, 'id', ctx.db.prisma.role);

export function createRole(
  ctx: Context,
  { businessId, input }: z.output<typeof createRoleCheck>,
): Promise<Role> {
  const time = now();
  const data = { id: newId(), businessId, ...input, createdAt: time, updatedAt: time };
  return uniqueOr(nameTaken, () =>
    once(ctx, 'createRole', { businessId, input }, ({ prisma }) => prisma.role.create({ data })),
  );
}

export function updateRole(
  ctx: Context,
  { businessId, id, version, input }: z.output<typeof updateRoleCheck>,
): Promise<Role> {
  return uniqueOr(nameTaken, () =>
    ctx.db.transaction(async (tx) => {
      await lockStaff(tx, businessId);
      const role = await findRoleIn(tx, { businessId, id });
      if (!role) throw notFound('Role');
      expectVersion(role.version, version);
      const changed = await tx.prisma.role.update({
        where: { id },
        data: {
          name: input.name ?? role.name,
          permissions: input.permissions ?? role.permissions,
          version: { increment: 1 },
          updatedAt: now(),
        },
      });
      await keepAnAdmin(tx, businessId, 'permissions');
      return changed;
    }),
  );
}

export async function deleteRole(
  ctx: Context,
  { businessId, id, version }: RecordAddress & { version?: number | undefined },
) {
  try {
    return await deleteStored({
      what: 'Role',
      id,
      expected: version,
      find: () => findRole(ctx, { businessId, id }),
      remove: (current) =>
        ctx.db.prisma.role.deleteMany({ where: { businessId, id, version: current.version } }),
    });
  } catch (error) {
    if (describeDbError(error)?.kind !== 'foreignKey') throw error;
    throw invalid({
      field: 'id',
      error: 'ROLE_IN_USE',
      message: 'People hold this role: give them another one first.',
    });
  }
}

/** Changes to who may do what in a business happen one after the other. */
export const lockStaff = (tx: Queries, businessId: string) => lockNamed(tx, `staff:${businessId}`);

/** Call after the change, inside its transaction and under `lockStaff`. */
export async function keepAnAdmin({ prisma }: Queries, businessId: string, field: string): Promise<void> {
  const admin = await prisma.membership.findFirst({
    where: { businessId, role: { permissions: { has: 'ADMIN' } } },
    select: { userId: true },
  });
  if (!admin)
    throw invalid({ field, error: 'LAST_ADMIN', message: 'The business would be left without an ADMIN.' });
}

const nameTaken = () => taken('name', 'NAME_TAKEN');
