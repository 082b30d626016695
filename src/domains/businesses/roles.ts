/** Roles of a business. Whatever happens to them, somebody must remain who may do everything. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { describeDbError } from '../../db/errors.ts';
import { insertRow } from '../../db/rows.ts';
import type { Queries } from '../../db/sql.ts';
import { invalid, notFound } from '../../errors.ts';
import type { Role } from '../../generated/prisma/client.ts';
import { once } from '../../idempotency.ts';
import { isId, newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import { deleteStored, type ListArgs, listConfiguration, taken, uniqueOr } from './configuration.ts';
import type { createRoleCheck, updateRoleCheck } from './rules.ts';

interface RecordAddress {
  businessId: string;
  id: string;
}

export const findRole = async (ctx: Context, { businessId, id }: RecordAddress): Promise<Role | null> =>
  isId(businessId) && isId(id) ? ctx.db.prisma.role.findFirst({ where: { businessId, id } }) : null;

export const listRoles = (ctx: Context, args: ListArgs) =>
  listConfiguration<Role>(ctx, 'roles', args, 'id', ctx.db.prisma.role);

export function createRole(
  ctx: Context,
  { businessId, input }: z.output<typeof createRoleCheck>,
): Promise<Role> {
  return once(ctx, 'createRole', { businessId, input }, async (queries) => {
    const time = now();
    const role = await insertRow<Role>(queries, 'roles', {
      id: newId(),
      businessId,
      ...input,
      createdAt: time,
      updatedAt: time,
    });
    if (!role) throw nameTaken();
    return role;
  });
}

export async function updateRole(
  ctx: Context,
  { businessId, id, version, input }: z.output<typeof updateRoleCheck>,
): Promise<Role> {
  await uniqueOr(nameTaken, () =>
    ctx.db.transaction(async (tx) => {
      await lockStaff(tx, businessId);
      const [role] = await tx.sql<{ version: number }>(
        'select version from roles where business_id = $1 and id::text = $2',
        [businessId, id],
      );
      if (!role) throw notFound('Role');
      expectVersion(role.version, version);
      await tx.sql(
        `update roles set name = coalesce($2, name), permissions = coalesce($3::text[], permissions), version = version + 1, updated_at = $4 where id = $1`,
        [id, input.name ?? null, input.permissions ?? null, now()],
      );
      await keepAnAdmin(tx, businessId, 'permissions');
    }),
  );
  const changed = await findRole(ctx, { businessId, id });
  if (!changed) throw notFound('Role');
  return changed;
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
export async function lockStaff(tx: Queries, businessId: string): Promise<void> {
  await tx.sql('select id from businesses where id::text = $1 for update', [businessId]);
}

/** Call after the change, inside its transaction and under `lockStaff`. */
export async function keepAnAdmin(tx: Queries, businessId: string, field: string): Promise<void> {
  const [admin] = await tx.sql(
    `select 1 from memberships m join roles r on r.id = m.role_id where m.business_id = $1 and 'ADMIN' = any(r.permissions) limit 1`,
    [businessId],
  );
  if (!admin)
    throw invalid({ field, error: 'LAST_ADMIN', message: 'The business would be left without an ADMIN.' });
}

const nameTaken = () => taken('name', 'NAME_TAKEN');
