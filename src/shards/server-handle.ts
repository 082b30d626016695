/** Handle of one of several database servers: rejects statements on tables that are elsewhere, and leads to the other servers. */
import type { Db, OtherServers, QueryHandle } from '../db/handles.ts';
import type { QueryContext } from '../db/query-context-and-statement-functions.ts';

export interface ServerHandleOptions {
  db: Db;
  assertStatement?: ((text: string) => void) | undefined;
  /** Called for each query context, so that the statements on other servers have it too. */
  otherServers(queryContext: QueryContext): OtherServers;
}

export function createServerHandle({ db, assertStatement, otherServers }: ServerHandleOptions): Db {
  // One function for all contexts: short reads of one tick are batched by it.
  const shortRead: Db['shortRead'] = async (text, params) => {
    assertStatement?.(text);
    return db.shortRead(text, params);
  };
  const withContext = (queryContext: QueryContext): Db => {
    const others = lazily(() => otherServers(queryContext));
    const bound = db.withContext({ ...queryContext, assertStatement });
    return {
      ...bound,
      queryContext,
      shortRead,
      transaction: (run) => bound.transaction((tx) => run(withOtherServers(tx, others()))),
      withContext,
      get otherServers() {
        return others();
      },
    };
  };
  return withContext(db.queryContext);
}

function withOtherServers(tx: QueryHandle, otherServers: OtherServers): QueryHandle {
  const joined: QueryHandle = { ...tx, otherServers, transaction: (run) => run(joined) };
  return joined;
}

function lazily<T>(create: () => T): () => T {
  let value: { created: T } | undefined;
  return () => {
    value ??= { created: create() };
    return value.created;
  };
}
