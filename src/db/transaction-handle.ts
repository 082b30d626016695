/** Transaction handle: `sql` and Prisma on the connection of one transaction, valid until it ends; and advisory locks. */
import type { SqlQueryable } from '@prisma/driver-adapter-utils';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { assertDeadlineNotExpired } from '../lib/async/deadline.ts';
import type { OnTransaction, QueryHandle } from './handles.ts';
import { joinPrismaToTransaction } from './prisma-client.ts';
import { type QueryContext, runPrismaWithContext } from './query-context-and-statement-functions.ts';

interface TransactionConnection {
  statements: Pick<QueryHandle, 'sql' | 'write'>;
  prisma: PrismaClient;
  /** Prisma adapter of the connection that the transaction holds. */
  queryable(): Promise<SqlQueryable>;
  queryContext: QueryContext;
  nextVersion: QueryHandle['nextVersion'];
  onTransaction: OnTransaction | undefined;
}

export function createTransactionHandle({
  statements,
  prisma,
  queryable,
  queryContext,
  nextVersion,
  onTransaction,
}: TransactionConnection) {
  const onStatement = onTransaction?.();
  let open = true;
  let failed = false;
  const runChecked = async <T>(run: () => Promise<T>): Promise<T> => {
    if (!open) throw new Error('The transaction has ended: its handle can no longer be used.');
    assertDeadlineNotExpired(queryContext.deadline);
    try {
      return await run();
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const joined = joinPrismaToTransaction(prisma, queryable, (run) =>
    runChecked(() => runPrismaWithContext(queryContext, run)),
  );
  const tx: QueryHandle = {
    prisma: joined.records,
    sql: (text, params) =>
      runChecked(() => {
        onStatement?.(text);
        return statements.sql(text, params);
      }),
    write: (text, params) =>
      runChecked(() => {
        onStatement?.(text);
        return statements.write(text, params);
      }),
    transaction: (run) => run(tx),
    nextVersion,
  };
  return {
    tx,
    /** Invalidates the handle: later calls throw. */
    async close() {
      open = false;
      await joined.end();
    },
    /**
     * After a failed statement PostgreSQL turns COMMIT into a rollback without an error; any other statement reports the failure.
     * A transaction whose deadline has expired must not commit either, because the caller already received a timeout error.
     */
    async assertCanCommit() {
      if (failed) await statements.sql('SELECT 1');
      assertDeadlineNotExpired(queryContext.deadline);
    },
  };
}

/**
 * Takes the advisory lock `name`, which serialises changes across all processes without locking a row. Waits for the current
 * holder; released when the transaction ends.
 */
export async function takeAdvisoryLock(tx: QueryHandle, name: string): Promise<void> {
  await tx.sql('select 1 from pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
