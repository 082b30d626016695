/**
 * Whether statements are named and prepared. The server keeps names for as long as a session lasts; a pooler lends its sessions to one
 * client after the other, where a name may be unknown, or that of another client's statement. Those that know of it give the
 * statements names of their own: by that they are told apart.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/** What the operator says of the pooler; `auto`: it is asked. */
export type PreparedStatementMode = 'on' | 'off' | 'auto';

export interface PreparedSupport {
  readonly enabled: boolean;
  /** Asks whoever this connection leads to. */
  probe(client: pg.ClientBase): Promise<void>;
  /** Hears of what went wrong with a statement: a name that was given may be unknown all the same. */
  reportError(error: unknown): void;
}

const always: PreparedSupport = { enabled: true, probe: async () => {}, reportError: () => {} };

export function createPreparedSupport(pooled: boolean, prepared: PreparedStatementMode): PreparedSupport {
  if (!pooled || prepared === 'on') return always;
  if (prepared === 'off') return { ...always, enabled: false };
  let on = false;
  return {
    get enabled() {
      return on;
    },
    async probe(client) {
      on = await isRenamed(client);
    },
    reportError(error) {
      if ((error as { code?: unknown }).code === unknownName) on = false;
    },
  };
}

const unknownName = '26000';
const whatIsThis = `SELECT name FROM pg_prepared_statements WHERE statement LIKE '%pg_prepared_statements WHERE statement LIKE%'`;

/** Looks up the name that this very statement has at the server. In a transaction it is one session, and stays as it was. */
async function isRenamed(client: pg.ClientBase): Promise<boolean> {
  const name = `duet_${randomUUID()}`;
  await client.query('BEGIN');
  const { rows } = await client.query<{ name: string }>({ name, text: whatIsThis });
  const isKept = rows.some((row) => row.name === name);
  if (isKept) await client.query(`DEALLOCATE "${name}"`);
  await client.query('COMMIT');
  return !isKept && rows.length > 0;
}
