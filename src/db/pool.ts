/** The pool that takes whatever may last or write. On each connection the database is met before anything else is asked. */
import pg from 'pg';
import type { RecordCache } from '../lib/kept.ts';
import { acquaintance, identityIn, leaveStandby, type Results, setUp, whoIsThere } from './acquaintance.ts';
import type { Lineage } from './lineage.ts';
import type { Naming } from './naming.ts';
import { tellWaits } from './pool-waits.ts';
import type { Primary } from './primary.ts';

export interface PoolOptions {
  connection: pg.ClientConfig;
  /** What it connects to: the server, or a pooler, whose sessions are not ours to change. */
  front: Primary;
  pooled: boolean;
  naming: Naming;
  lineage: Lineage;
  size: number;
  kept: RecordCache;
  onWait: ((seconds: number) => void) | undefined;
  onError: (error: Error) => void;
}

/** A connection that has just been made, and whose server does not say who it is. */
const helloMs = 5_000;

export function openPool({
  connection,
  front,
  pooled,
  naming,
  lineage,
  size,
  kept,
  onWait,
  onError,
}: PoolOptions) {
  const hello = pooled ? whoIsThere : front.moves ? `${setUp}; ${leaveStandby}` : setUp;
  // A pooler may have gone on to another server behind connections that stay.
  const meet = acquaintance(kept, () => {
    if (pooled) lineage.meet((text) => pool.query(text)).catch(onError);
  });
  let met: string | undefined;
  const pool = new pg.Pool({
    ...connection,
    Client: front.Client,
    max: size,
    idleTimeoutMillis: 60_000,
    onConnect: async (client) => {
      const ask = (text: string) => client.query({ text, query_timeout: helloMs } as pg.QueryConfig);
      const results: Results = await ask(hello);
      meet(results);
      const identity = identityIn(results);
      if (identity !== met && (await lineage.meet(ask))) met = identity;
      await naming.ask(client);
    },
  });
  if (onWait) tellWaits(pool, onWait);
  // Without a listener a lost connection ends the process. The pool repeats, with the whole client, what an idle one has said.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', onError));
  return { pool, meet };
}
