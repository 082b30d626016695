/** Opens the embedded database: PGlite on a data directory, with one connection behind both handles. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { PGlite, type PGliteOptions, type Transaction } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { AsyncContext } from '../../lib/async/async-context.ts';
import { assertDeadlineNotExpired } from '../../lib/async/deadline.ts';
import { CrashDetectingPGlite } from '../../vendor/pglite/crash-detection.ts';
import type { Db, QueryHandle } from '../handles.ts';
import type { ResolvedDbOptions } from '../open-options.ts';
import { createPrismaClient } from '../prisma-client.ts';
import {
  bindPrismaToQueryContext,
  createSqlAndWriteFunctions,
  getQueryContextOfPrismaCall,
  type QueryContext,
  type SentStatement,
  serviceQueryContext,
} from '../query-context-and-statement-functions.ts';
import { genericPlanSql, sqlTypeParsers, trigramThresholdSql } from '../session-settings-and-type-parsers.ts';
import { createTransactionHandle } from '../transaction-handle.ts';
import { createRestoreGuard } from '../unique-versions-after-restore.ts';
import { createDatabaseCrashError } from './crash-error.ts';
import { lockDataDirectory } from './directory-lock.ts';
import { createPrismaAdapterOfTransaction, EmbeddedPrismaAdapterFactory } from './prisma-adapter.ts';
import { readDbTemplateArchive, unpackDbTemplateArchive } from './read-and-unpack-template-archive.ts';
import { restrictPgliteTypeParsers } from './restrict-pglite-type-parsers.ts';
import {
  markDirectoryFinished,
  markDirectoryUnfinished,
  removeUnfinishedDirectory,
} from './unfinished-directory-marker.ts';

/** Options that every PGlite instance is opened with. */
export const pgliteOptions = {
  extensions: { pg_trgm },
  // The default of 128 MB would be a third of the process's memory and a fifth of its opening time.
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'],
};

export async function openEmbeddedDb({
  dataDir,
  template,
  lockWaitMs,
  onStatement,
  onTransaction,
  onRead,
  onCrash,
  recordCache,
  batching,
}: ResolvedDbOptions): Promise<Db> {
  const { pglite, unlock } = await openPGlite(dataDir, template, lockWaitMs);
  if (onCrash) pglite.onCrash = onCrash;
  restrictPgliteTypeParsers(pglite);
  await pglite.exec(`${genericPlanSql}; ${trigramThresholdSql}`);
  const { loadMinVersion, nextVersion } = createRestoreGuard();
  await loadMinVersion((text) => pglite.query(text));
  const currentTransaction = new AsyncContext<{ open: boolean }>();

  // Outside handles would deadlock here: the surrounding transaction holds the only connection.
  function assertOutsideTransaction(queryContext = getQueryContextOfPrismaCall()): void {
    assertDeadlineNotExpired(queryContext?.deadline);
    if (currentTransaction.get()?.open) {
      throw new Error(
        'Use the transaction handle inside a transaction: the embedded database has a single connection.',
      );
    }
  }

  const statementsOn = (on: PGlite | Transaction, queryContext: QueryContext) =>
    createSqlAndWriteFunctions({
      queryContext,
      onStatement,
      onRead,
      async send<Row>({ text, params }: SentStatement) {
        if (on === pglite) assertOutsideTransaction(queryContext);
        return (await on.query<Row>(text, params, { parsers }).catch(withoutParams)).rows;
      },
    });

  async function transaction<T>(
    run: (tx: QueryHandle) => Promise<T>,
    queryContext: QueryContext,
  ): Promise<T> {
    assertOutsideTransaction(queryContext);
    return pglite.transaction(async (connection) => {
      const { tx, close, assertCanCommit } = createTransactionHandle({
        queryContext,
        nextVersion,
        onTransaction,
        statements: statementsOn(connection, queryContext),
        prisma,
        queryable: () => createPrismaAdapterOfTransaction(connection),
      });
      const state = { open: true };
      try {
        // The inner await is required: a Prisma promise starts its query only when it is awaited.
        const result = await currentTransaction.run(state, async () => await run(tx));
        await assertCanCommit();
        return result;
      } finally {
        state.open = false;
        await close();
      }
    });
  }

  const { prisma: client, disconnect } = createPrismaClient(
    new EmbeddedPrismaAdapterFactory(pglite, assertOutsideTransaction),
    onStatement,
  );
  const prisma = bindPrismaToQueryContext(client, serviceQueryContext);
  let closing: Promise<void> | undefined;
  async function shutDown(): Promise<void> {
    await disconnect();
    try {
      // Queued behind all statements that were sent before; afterwards the next start has no WAL to recover. If it fails, as on a full
      // disk, the files are left as by a killed process.
      await pglite.exec('CHECKPOINT');
      await pglite.close();
    } finally {
      await unlock();
    }
  }
  const serviceStatements = statementsOn(pglite, serviceQueryContext);
  const db: Db = {
    prisma,
    queryContext: serviceQueryContext,
    embedded: true,
    recordCache,
    batching,
    nextVersion,
    ...serviceStatements,
    // There is only one connection, so no separate one for short reads.
    shortRead: serviceStatements.sql,
    transaction: (run) => transaction(run, serviceQueryContext),
    withContext: (queryContext) => ({
      ...db,
      queryContext,
      ...statementsOn(pglite, queryContext),
      transaction: (run) => transaction(run, queryContext),
      prisma: bindPrismaToQueryContext(client, queryContext),
    }),
    async script<Row>(text: string) {
      assertOutsideTransaction();
      onStatement?.(text);
      const results = await pglite.exec(text, { parsers });
      return (results.at(-1)?.rows ?? []) as Row[];
    },
    connections: () => ({ open: 1, idle: 0, waiting: 0 }),
    async ping() {
      await serviceStatements.sql('SELECT 1');
    },
    async listen(listener, channel = 'duet_live') {
      assertOutsideTransaction();
      // The SQL function has_listeners() reads this: the only session is also the listener.
      if (channel === 'duet_live') await pglite.exec(`SET duet.listening = 'on'`);
      return pglite.listen(channel, listener.onNotification);
    },
    async withCheckpointedFiles(run) {
      assertOutsideTransaction();
      if (dataDir === 'memory')
        throw new Error('An in-memory database has no files: set DATA_DIR to a directory.');
      return pglite.transaction(async (connection) => {
        await connection.exec('CHECKPOINT');
        return run(resolve(dataDir));
      });
    },
    close() {
      closing ??= shutDown();
      return closing;
    },
    withMigrationAdapter: (run) => run(new EmbeddedPrismaAdapterFactory(pglite, assertOutsideTransaction)),
  };
  return db;
}

const parsers = Object.fromEntries(sqlTypeParsers);

/** Removes the parameters that PGlite attaches to its errors, so that they do not reach the logs. */
function withoutParams(error: unknown): never {
  if (error instanceof Error && 'params' in error) error.params = undefined;
  throw error;
}

async function createPGlite(options: PGliteOptions): Promise<CrashDetectingPGlite> {
  const pglite = new CrashDetectingPGlite(options, createDatabaseCrashError);
  await pglite.waitReady;
  return pglite;
}

async function openPGlite(dataDir: string, template: string | Blob | undefined, lockWaitMs?: number) {
  if (dataDir === 'memory') {
    const archive =
      template === undefined ? {} : { loadDataDir: new Blob([await readDbTemplateArchive(template)]) };
    return { pglite: await createPGlite({ ...pgliteOptions, ...archive }), unlock: async () => {} };
  }
  const directory = resolve(dataDir);
  const unlock = await lockDataDirectory(directory, lockWaitMs);
  try {
    await removeUnfinishedDirectory(directory);
    const isNew = !existsSync(directory);
    if (isNew) await markDirectoryUnfinished(directory);
    if (isNew && template !== undefined) await unpackDbTemplateArchive(template, directory);
    const pglite = await createPGlite({ ...pgliteOptions, dataDir: directory });
    await markDirectoryFinished(directory);
    return { pglite, unlock };
  } catch (error) {
    await unlock();
    throw error;
  }
}
