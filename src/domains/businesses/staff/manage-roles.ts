/** Creates, reads, updates and deletes the roles of a business. At least one member must keep the permission ADMIN. */
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { classifyDbError, type QueryHandle, takeAdvisoryLock } from '../../../db/index.ts';
import { notFoundError, validationError } from '../../../errors.ts';
import type { Role } from '../../../generated/prisma/client.ts';
import { isId, newId } from '../../../lib/ids.ts';
import { assertExpectedVersion, type DeleteRecordArgs } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import {
  alreadyTakenError,
  type ConfigurationListArgs,
  type ConfigurationRecordRef,
  createConfigurationRecord,
  deleteConfigurationRecord,
  listConfigurationRecords,
  rethrowUniqueViolationAs,
} from '../../shared/manage-configuration-records.ts';
import type { createRoleSchema, updateRoleSchema } from '../schemas.ts';

export const findRole = (ctx: Context, address: ConfigurationRecordRef): Promise<Role | null> =>
  findRoleOfBusiness(ctx.db, address);

export const findRoleOfBusiness = async (
  { prisma }: QueryHandle,
  { businessId, id }: ConfigurationRecordRef,
): Promise<Role | null> =>
  isId(businessId) && isId(id) ? prisma.role.findFirst({ where: { businessId, id } }) : null;

export const listRoles = (ctx: Context, args: ConfigurationListArgs) =>
  listConfigurationRecords<Role>(ctx, 'roles', args, 'id', ctx.db.prisma.role);

export function createRole(
  ctx: Context,
  { businessId, input }: z.output<typeof createRoleSchema>,
): Promise<Role> {
  const time = now();
  const data = { id: newId(), businessId, ...input, createdAt: time, updatedAt: time };
  return createConfigurationRecord(
    ctx,
    { operation: 'createRole', table: 'roles', onConflict: nameTaken, businessId, input },
    ({ prisma }) => prisma.role.create({ data }),
  );
}

export function updateRole(
  ctx: Context,
  { businessId, id, version, input }: z.output<typeof updateRoleSchema>,
): Promise<Role> {
  return rethrowUniqueViolationAs(nameTaken, () =>
    ctx.db.transaction(async (tx) => {
      await lockBusinessStaff(tx, businessId);
      const role = await findRoleOfBusiness(tx, { businessId, id });
      if (!role) throw notFoundError('Role');
      assertExpectedVersion(role.version, version);
      const changed = await tx.prisma.role.update({
        where: { id },
        data: {
          name: input.name ?? role.name,
          permissions: input.permissions ?? role.permissions,
          version: { increment: 1 },
          updatedAt: now(),
        },
      });
      await assertAdminRemains(tx, businessId, 'permissions');
      return changed;
    }),
  );
}

export async function deleteRole(ctx: Context, { businessId, id, version }: DeleteRecordArgs) {
  try {
    return await deleteConfigurationRecord({
      recordName: 'Role',
      id,
      expectedVersion: version,
      find: () => findRole(ctx, { businessId, id }),
      remove: (current) =>
        ctx.db.prisma.role.deleteMany({ where: { businessId, id, version: current.version } }),
    });
  } catch (error) {
    if (classifyDbError(error)?.kind !== 'foreignKey') throw error;
    throw validationError(
      'id',
      'ROLE_IN_USE',
      'The role is assigned to members. Assign another role to them first.',
    );
  }
}

/** Serialises changes to the roles and memberships of a business, until the end of the transaction. */
export const lockBusinessStaff = (tx: QueryHandle, businessId: string) =>
  takeAdvisoryLock(tx, `staff:${businessId}`);

/** Throws LAST_ADMIN when no member has ADMIN. Call it after the change, in its transaction and under `lockBusinessStaff`. */
export async function assertAdminRemains(
  { prisma }: QueryHandle,
  businessId: string,
  field: string,
): Promise<void> {
  const admin = await prisma.membership.findFirst({
    where: { businessId, role: { permissions: { has: 'ADMIN' } } },
    select: { userId: true },
  });
  if (!admin)
    throw validationError(
      field,
      'LAST_ADMIN',
      'The business would have no ADMIN. Assign the role to another member first.',
    );
}

const nameTaken = () => alreadyTakenError('name', 'NAME_TAKEN');
