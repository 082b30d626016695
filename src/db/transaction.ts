/** The handle inside a transaction: whoever is given it takes part, until the transaction ends. */
import type { SqlQueryable } from '@prisma/driver-adapter-utils';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { assertInTime } from '../lib/deadline.ts';
import { askPrisma, type Caller } from './caller.ts';
import { joinTransaction } from './prisma.ts';
import type { Queries } from './sql.ts';

interface Connection {
  query: Queries['sql'];
  prisma: PrismaClient;
  /** Prisma's view of the connection that the transaction holds. */
  queryable(): Promise<SqlQueryable>;
  caller: Caller | undefined;
  nextVersion: Queries['nextVersion'];
}

export function openTransaction({ query, prisma, queryable, caller, nextVersion }: Connection) {
  let open = true;
  let failed = false;
  const watched = async <T>(run: () => Promise<T>): Promise<T> => {
    if (!open) throw new Error('The transaction has ended.');
    assertInTime(caller?.deadline);
    try {
      return await run();
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const joined = joinTransaction(prisma, queryable, (run) =>
    watched(() => (caller ? askPrisma(caller, run) : run())),
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
      assertInTime(caller?.deadline);
    },
  };
}
