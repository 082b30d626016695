/** Tables that nobody else gets at until they are let go. */
import type { Db, Queries } from '../../src/db/handles.ts';

export interface LockedTables {
  /** Sees the database meanwhile. */
  tx: Queries;
  release(): Promise<void>;
}

/** Resolves once they are held. What is called afterwards is not part of the transaction that holds them. */
export async function lockTables(db: Db, tables: string): Promise<LockedTables> {
  let letGo = () => {};
  const open = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let ended: Promise<void> | undefined;
  const tx = await new Promise<Queries>((resolve, reject) => {
    ended = db.transaction(async (inside) => {
      await inside.sql(`lock table ${tables} in access exclusive mode`);
      resolve(inside);
      await open;
    });
    ended.catch(reject);
  });
  return {
    tx,
    async release() {
      letGo();
      await ended;
    },
  };
}
