/** Internals of Prisma's driver adapters: the connection of a transaction, and the driver's error inside Prisma's error. */
import type { SqlDriverAdapter, SqlQueryable } from '@prisma/driver-adapter-utils';
import type pg from 'pg';

/** The adapter of a pool, with all queries sent to one connection of it. */
export const createPrismaAdapterOnClient = (adapter: SqlDriverAdapter, client: pg.PoolClient): SqlQueryable =>
  Object.create(adapter, { client: { value: client } });

/** Error of the driver adapter that a Prisma error wraps; undefined for other errors. */
export function createPrismaDriverError(error: object): unknown {
  const { meta } = error as { meta?: unknown };
  return typeof meta === 'object' && meta !== null && 'driverAdapterError' in meta
    ? meta.driverAdapterError
    : undefined;
}
