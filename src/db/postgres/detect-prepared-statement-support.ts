/**
 * Detects whether prepared statements can be used. A prepared statement belongs to a server session, and a pooler shares sessions
 * between clients: a name may be undefined there, or belong to another client's statement. Poolers that support prepared statements
 * rename them at the server, which the probe detects.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/** Setting of the operator; `auto` probes the pooler. */
export type PreparedStatementMode = 'on' | 'off' | 'auto';

export interface PreparedStatementSupport {
  readonly enabled: boolean;
  /** Detects the support of the server or pooler behind this connection. */
  probe(client: pg.ClientBase): Promise<void>;
  /** Disables prepared statements after the error "prepared statement does not exist" (26000). */
  reportError(error: unknown): void;
}

const alwaysEnabled: PreparedStatementSupport = {
  enabled: true,
  probe: async () => {},
  reportError: () => {},
};

export function createPreparedStatementSupport(
  pooled: boolean,
  prepared: PreparedStatementMode,
): PreparedStatementSupport {
  if (!pooled || prepared === 'on') return alwaysEnabled;
  if (prepared === 'off') return { ...alwaysEnabled, enabled: false };
  let enabled = false;
  return {
    get enabled() {
      return enabled;
    },
    async probe(client) {
      enabled = await isRenamed(client);
    },
    reportError(error) {
      if ((error as { code?: unknown }).code === undefinedPreparedStatement) enabled = false;
    },
  };
}

const undefinedPreparedStatement = '26000';
const ownNameSql = `SELECT name FROM pg_prepared_statements WHERE statement LIKE '%pg_prepared_statements WHERE statement LIKE%'`;

/** Looks up the name of this very statement at the server. The transaction pins one server session until it is cleaned up. */
async function isRenamed(client: pg.ClientBase): Promise<boolean> {
  const name = `duet_${randomUUID()}`;
  await client.query('BEGIN');
  const { rows } = await client.query<{ name: string }>({ name, text: ownNameSql });
  const isUnchanged = rows.some((row) => row.name === name);
  if (isUnchanged) await client.query(`DEALLOCATE "${name}"`);
  await client.query('COMMIT');
  return !isUnchanged && rows.length > 0;
}
