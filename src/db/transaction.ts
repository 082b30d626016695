/** The handle inside a transaction: whoever is given it takes part, until the transaction ends. */
import type { SqlQueryable } from '@prisma/driver-adapter-utils';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { assertDeadlineNotExpired } from '../lib/async/deadline.ts';
import type { Queries } from './handles.ts';
import { joinTransaction } from './prisma-client.ts';
import { type QueryContext, runPrismaWithContext } from './query-context.ts';

interface Connection {
  query: Queries['sql'];
  prisma: PrismaClient;
  /** Prisma's view of the connection that the transaction holds. */
  queryable(): Promise<SqlQueryable>;
  caller: QueryContext | undefined;
  nextVersion: Queries['nextVersion'];
}

export function createTransactionHandle({ query, prisma, queryable, caller, nextVersion }: Connection) {
  let open = true;
  let failed = false;
  const watched = async <T>(run: () => Promise<T>): Promise<T> => {
    if (!open) throw new Error('The transaction has ended.');
    assertDeadlineNotExpired(caller?.deadline);
    try {
      return await run();
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const joined = joinTransaction(prisma, queryable, (run) =>
    watched(() => (caller ? runPrismaWithContext(caller, run) : run())),
  );
  const tx: Queries = {
    prisma: joined.records,
    sql: (text, params) => watched(() => query(text, params)),
    transaction: (run) => run(tx),
    nextVersion,
  };
  return {
    tx,
    /** From here on the handle refuses everything. */
    async close() {
      open = false;
      await joined.end();
    },
    /**
     * After a failed statement PostgreSQL rolls back on COMMIT without an error. Any other statement shows the failure. What the
     * caller was told had failed must not be committed either.
     */
    async assertCanCommit() {
      if (failed) await query('SELECT 1');
      assertDeadlineNotExpired(caller?.deadline);
    },
  };
}

/** Locks that belong to no row: for changes that must happen one after the other, by any process. */

/** Waits for its turn, and keeps it for the rest of the transaction. */
export async function takeAdvisoryLock(tx: Queries, name: string): Promise<void> {
  await tx.sql('select 1 from pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
