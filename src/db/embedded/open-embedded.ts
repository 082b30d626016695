/** The database inside this process: PGlite on a directory, one connection behind both handles. */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { PGlite, type PGliteOptions, type Transaction } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { AsyncContext } from '../../lib/async/async-context.ts';
import { assertDeadlineNotExpired } from '../../lib/async/deadline.ts';
import type { RecordCache } from '../../lib/cache/record-cache.ts';
import { attachAuditContext } from '../audit-context.ts';
import {
  type Db,
  genericPlanSql,
  type OnStatement,
  type Queries,
  sqlTypeParsers,
  trigramThresholdSql,
} from '../handles.ts';
import { createPrismaClient } from '../prisma-client.ts';
import { bindModelsToContext, currentPrismaContext, type QueryContext } from '../query-context.ts';
import { createRestoreGuard } from '../restore-guard.ts';
import { traceStatement } from '../statement-tracing.ts';
import { createTransactionHandle } from '../transaction.ts';
import { lockDataDirectory } from './directory-lock.ts';
import { EmbeddedPGlite, restrictParsers } from './pglite-types.ts';
import { prepareRepeatedStatements } from './prepared-statements.ts';
import { connectTransactionAdapter, EmbeddedPrismaAdapterFactory } from './prisma-adapter.ts';
import { readTemplateArchive, unpackTemplateArchive } from './template-archive.ts';
import { yieldIfBusy } from './yield-event-loop.ts';

/** What PGlite has to be opened with, whoever opens it. */
export const pgliteOptions = {
  extensions: { pg_trgm },
  // PostgreSQL would take 128 MB at once: a third of what the process needs, and a fifth of the time that opening takes.
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'],
};

export interface EmbeddedOptions {
  /** A directory, or `memory` for a database that ends with the process. */
  dataDir: string;
  /** An archive made by `scripts/template.ts`, used when the directory does not exist yet. */
  template: string | Blob | undefined;
  onStatement: OnStatement | undefined;
  recordCache: RecordCache;
}

export async function openEmbedded({
  dataDir,
  template,
  onStatement,
  recordCache: kept,
}: EmbeddedOptions): Promise<Db> {
  const { pglite, unlock } = await openPGlite(dataDir, template);
  prepareRepeatedStatements(pglite);
  restrictParsers(pglite);
  await pglite.exec(`${genericPlanSql}; ${trigramThresholdSql}`);
  const { loadMinVersion: know, nextVersion } = createRestoreGuard();
  await know((text) => pglite.query(text));
  const current = new AsyncContext<{ open: boolean }>();

  // Would wait for ever: the transaction this is called from holds the only connection.
  function refuseInsideTransaction(caller = currentPrismaContext()): void {
    assertDeadlineNotExpired(caller?.deadline);
    if (current.get()?.open) {
      throw new Error('Inside a transaction, use the handle it was given: there is one embedded connection.');
    }
  }

  async function query<Row>(
    on: PGlite | Transaction,
    text: string,
    params: readonly unknown[] = [],
    caller?: QueryContext,
  ): Promise<Row[]> {
    onStatement?.(text);
    const pause = yieldIfBusy();
    if (pause) await pause;
    const own = attachAuditContext(text, params.length, caller?.auditContext);
    const [whole, values] = own ? [own.text, [...params, own.author]] : [text, [...params]];
    const { rows } = await traceStatement(text, () =>
      on.query<Row>(whole, values, { parsers: ownParsers }).catch(withoutParams),
    );
    return rows;
  }

  async function transaction<T>(run: (tx: Queries) => Promise<T>, caller?: QueryContext): Promise<T> {
    refuseInsideTransaction(caller);
    return pglite.transaction(async (connection) => {
      const { tx, close, assertCanCommit } = createTransactionHandle({
        caller,
        nextVersion,
        query: (text, params) => query(connection, text, params, caller),
        prisma,
        queryable: () => connectTransactionAdapter(connection),
      });
      const state = { open: true };
      try {
        // The inner await matters: a Prisma promise only starts its work when it is awaited.
        const result = await current.run(state, async () => await run(tx));
        await assertCanCommit();
        return result;
      } finally {
        state.open = false;
        await close();
      }
    });
  }

  const { prisma, disconnect } = createPrismaClient(
    new EmbeddedPrismaAdapterFactory(pglite, refuseInsideTransaction),
    onStatement,
  );
  let closing: Promise<void> | undefined;
  async function shutDown(): Promise<void> {
    await disconnect();
    // Takes its turn behind everything already asked for, and leaves nothing to recover at the next start.
    await pglite.exec('CHECKPOINT');
    await pglite.close();
    await unlock();
  }
  async function sql<Row>(text: string, params?: readonly unknown[], caller?: QueryContext): Promise<Row[]> {
    refuseInsideTransaction(caller);
    return query<Row>(pglite, text, params, caller);
  }
  const short = <Row>(text: string, params?: readonly unknown[]) => sql<Row>(text, params);
  const db: Db = {
    prisma,
    queryContext: undefined,
    embedded: true,
    recordCache: kept,
    nextVersion,
    sql: short,
    // One connection serves everything here.
    shortRead: short,
    transaction: (run) => transaction(run),
    withContext: (caller) => ({
      ...db,
      queryContext: caller,
      sql: (text, params) => sql(text, params, caller),
      transaction: (run) => transaction(run, caller),
      prisma: bindModelsToContext(prisma, caller),
    }),
    async script<Row>(text: string) {
      refuseInsideTransaction();
      onStatement?.(text);
      const results = await pglite.exec(text, { parsers: ownParsers });
      return (results.at(-1)?.rows ?? []) as Row[];
    },
    connections: () => ({ open: 1, idle: 0, waiting: 0 }),
    async ping() {
      await sql('SELECT 1');
    },
    async listen(listener, channel = 'duet_live') {
      refuseInsideTransaction();
      // Tells the triggers of live updates that the only session there is listens to itself.
      if (channel === 'duet_live') await pglite.exec(`SET duet.listening = 'on'`);
      return pglite.listen(channel, listener.onNotification);
    },
    async withCheckpointedFiles(run) {
      refuseInsideTransaction();
      if (dataDir === 'memory') throw new Error('A database in memory has no files.');
      return pglite.transaction(async (connection) => {
        await connection.exec('CHECKPOINT');
        return run(resolve(dataDir));
      });
    },
    close() {
      closing ??= shutDown();
      return closing;
    },
    withMigrationAdapter: (run) => run(new EmbeddedPrismaAdapterFactory(pglite, refuseInsideTransaction)),
  };
  return db;
}

const ownParsers = Object.fromEntries(sqlTypeParsers);

/** PGlite hangs the parameters onto its errors, from where they would get into logs. */
function withoutParams(error: unknown): never {
  if (error instanceof Error && 'params' in error) error.params = undefined;
  throw error;
}

async function opened(options: PGliteOptions): Promise<PGlite> {
  const pglite = new EmbeddedPGlite(options);
  await pglite.waitReady;
  return pglite;
}

async function openPGlite(dataDir: string, template: string | Blob | undefined) {
  if (dataDir === 'memory') {
    const archive =
      template === undefined ? {} : { loadDataDir: new Blob([await readTemplateArchive(template)]) };
    return { pglite: await opened({ ...pgliteOptions, ...archive }), unlock: async () => {} };
  }
  const directory = resolve(dataDir);
  await mkdir(dirname(directory), { recursive: true });
  const unlock = await lockDataDirectory(directory);
  try {
    // Left behind only by a process that died while it made the directory: what it made is not complete.
    const unfinished = `${directory}.unfinished`;
    if (existsSync(unfinished)) await rm(directory, { recursive: true, force: true });
    const fresh = !existsSync(directory);
    if (fresh) await writeFile(unfinished, '');
    if (fresh && template !== undefined) await unpackTemplateArchive(template, directory);
    const pglite = await opened({ ...pgliteOptions, dataDir: directory });
    await rm(unfinished, { force: true });
    return { pglite, unlock };
  } catch (error) {
    await unlock();
    throw error;
  }
}
