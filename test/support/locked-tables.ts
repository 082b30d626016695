/** Locks tables exclusively in an open transaction, to block other connections. */
import type { Db, QueryHandle } from '../../src/db/handles.ts';

export interface LockedTables {
  /** Transaction that holds the locks. */
  tx: QueryHandle;
  release(): Promise<void>;
}

/** Resolves when the tables are locked. Later calls of the test run outside this transaction, unless they use `tx`. */
export async function lockTables(db: Db, tables: string): Promise<LockedTables> {
  let releaseLocks = () => {};
  const released = new Promise<void>((resolve) => {
    releaseLocks = resolve;
  });
  let transactionEnd: Promise<void> | undefined;
  const tx = await new Promise<QueryHandle>((resolve, reject) => {
    transactionEnd = db.transaction(async (transaction) => {
      await transaction.sql(`lock table ${tables} in access exclusive mode`);
      resolve(transaction);
      await released;
    });
    transactionEnd.catch(reject);
  });
  return {
    tx,
    async release() {
      releaseLocks();
      await transactionEnd;
    },
  };
}
