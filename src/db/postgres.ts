/** The database on a PostgreSQL server: one pool behind both handles. */
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { createPrisma } from './prisma.ts';
import { type Db, type OnStatement, ownTypes, type Queries } from './sql.ts';

export interface PostgresOptions {
  url: string;
  poolSize: number;
  statementTimeoutMs: number;
  onStatement: OnStatement | undefined;
  onError: (error: Error) => void;
}

// Statement texts are few and fixed; past this many, the rest run unnamed so that the server's memory is safe.
const maxNamedStatements = 1000;
// Any number will do, as long as nothing else in the database takes the same advisory lock.
const migrationLock = 4_478_331;

export function openPostgres({
  url,
  poolSize,
  statementTimeoutMs,
  onStatement,
  onError,
}: PostgresOptions): Db {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'duet',
    max: poolSize,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    // The server's own timeout comes first; this one is for a server that no longer answers at all.
    query_timeout: statementTimeoutMs + 5_000,
  });
  // Without a listener a lost connection ends the process: the pool reports idle ones, each client its own.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));

  const names = new Map<string, string>();
  function nameOf(text: string): string | undefined {
    let name = names.get(text);
    if (name === undefined && names.size < maxNamedStatements) {
      name = `duet_${names.size + 1}`;
      names.set(text, name);
    }
    return name;
  }

  async function query<Row>(
    on: pg.Pool | pg.PoolClient,
    text: string,
    params: readonly unknown[] = [],
  ): Promise<Row[]> {
    onStatement?.(text);
    const name = nameOf(text);
    const config = { text, values: [...params], types: typeParsers };
    const result = await on.query(name === undefined ? config : { ...config, name });
    return result.rows;
  }

  async function transaction<T>(run: (tx: Queries) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let open = true;
    const tx: Queries = {
      async sql<Row>(text: string, params?: readonly unknown[]) {
        if (!open) throw new Error('The transaction has ended.');
        return query<Row>(client, text, params);
      },
      transaction: (inner) => inner(tx),
    };
    try {
      await client.query('BEGIN');
      const result = await run(tx);
      open = false;
      await client.query('COMMIT');
      client.release();
      return result;
    } catch (error) {
      open = false;
      // A connection that cannot even roll back is in an unknown state: the pool must not hand it out again.
      const broken = await client.query('ROLLBACK').then(
        () => false,
        () => true,
      );
      client.release(broken);
      throw error;
    }
  }

  const prisma = createPrisma(new PrismaPg(pool), onStatement);
  let closing: Promise<void> | undefined;
  return {
    prisma,
    embedded: false,
    sql: (text, params) => query(pool, text, params),
    transaction,
    async script<Row>(text: string) {
      onStatement?.(text);
      const results: pg.QueryResult | pg.QueryResult[] = await pool.query({ text, types: typeParsers });
      const last = Array.isArray(results) ? results.at(-1) : results;
      return (last?.rows ?? []) as Row[];
    },
    async ping() {
      await query(pool, 'SELECT 1');
    },
    close() {
      closing ??= prisma.$disconnect().then(() => pool.end());
      return closing;
    },
    migrating: (run) => withMigrationConnection(url, run),
  };
}

async function withMigrationConnection<T>(url: string, run: (adapter: PrismaPg) => Promise<T>): Promise<T> {
  // Migrations may take long, and the engine's own lock lives as long as its connection: no pool is shared.
  const config = { connectionString: url, application_name: 'duet migrate', statement_timeout: 0 };
  const guard = new pg.Client(config);
  guard.on('error', () => {});
  await guard.connect();
  try {
    await guard.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    const pool = new pg.Pool(config);
    try {
      return await run(new ScriptRunner(pool));
    } finally {
      await pool.end();
    }
  } finally {
    await guard.end();
  }
}

/** Prisma's adapter cuts scripts at every semicolon, also inside function bodies; PostgreSQL knows better. */
class ScriptRunner extends PrismaPg {
  override async connect() {
    const adapter = await super.connect();
    const execute = adapter.executeRaw.bind(adapter);
    adapter.executeScript = async (sql) => {
      await execute({ sql, args: [], argTypes: [] });
    };
    return adapter;
  }
}

// Only for `sql`: Prisma brings its own parsers, and the global ones belong to other users of the driver.
const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const own = ownTypes.get(oid);
    if (own) return own;
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
  },
};
