/** The handle inside a transaction: others join it, it ends with it, and it knows when a commit would be a lie. */
import type { Queries } from './sql.ts';

export function openTransaction(query: Queries['sql']) {
  let open = true;
  let failed = false;
  const tx: Queries = {
    async sql<Row>(text: string, params?: readonly unknown[]) {
      if (!open) throw new Error('The transaction has ended.');
      try {
        return await query<Row>(text, params);
      } catch (error) {
        failed = true;
        throw error;
      }
    },
    transaction: (run) => run(tx),
  };
  return {
    tx,
    close() {
      open = false;
    },
    /** After a failed statement PostgreSQL answers COMMIT with a silent rollback, but any other statement with an error. */
    async assertCanCommit() {
      if (failed) await query('SELECT 1');
    },
  };
}
