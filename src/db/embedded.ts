/** The database inside this process: PGlite on a directory, one connection behind both handles. */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { PGlite, type PGliteOptions, type Transaction } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { Ambient } from '../lib/ambient.ts';
import { assertInTime } from '../lib/deadline.ts';
import type { RecordCache } from '../lib/kept.ts';
import { readArchive, unpackArchive } from './archive.ts';
import { signed } from './author.ts';
import { breath } from './breath.ts';
import { type Caller, modelsFor, prismaCaller } from './caller.ts';
import { adapterOf, EmbeddedPrisma } from './embedded-prisma.ts';
import { EmbeddedPGlite, parseOnlyOurs } from './embedded-types.ts';
import { createLineage } from './lineage.ts';
import { lockDirectory } from './lock.ts';
import { prepareOften } from './prepared.ts';
import { createPrisma } from './prisma.ts';
import { type Db, forgive, type OnStatement, ownTypes, planOnce, type Queries } from './sql.ts';
import { tracedStatement } from './traced-statement.ts';
import { openTransaction } from './transaction.ts';

/** What PGlite has to be opened with, whoever opens it. */
export const usual = {
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
  kept: RecordCache;
}

export async function openEmbedded({ dataDir, template, onStatement, kept }: EmbeddedOptions): Promise<Db> {
  const { pglite, unlock } = await openPGlite(dataDir, template);
  prepareOften(pglite);
  parseOnlyOurs(pglite);
  await pglite.exec(`${planOnce}; ${forgive}`);
  const { know, nextVersion } = createLineage();
  await know((text) => pglite.query(text));
  const current = new Ambient<{ open: boolean }>();

  // Would wait for ever: the transaction this is called from holds the only connection.
  function refuseInsideTransaction(caller = prismaCaller()): void {
    assertInTime(caller?.deadline);
    if (current.get()?.open) {
      throw new Error('Inside a transaction, use the handle it was given: there is one embedded connection.');
    }
  }

  async function query<Row>(
    on: PGlite | Transaction,
    text: string,
    params: readonly unknown[] = [],
    caller?: Caller,
  ): Promise<Row[]> {
    onStatement?.(text);
    const pause = breath();
    if (pause) await pause;
    const own = signed(text, params.length, caller?.author);
    const [whole, values] = own ? [own.text, [...params, own.author]] : [text, [...params]];
    const { rows } = await tracedStatement(text, () =>
      on.query<Row>(whole, values, { parsers: ownParsers }).catch(withoutParams),
    );
    return rows;
  }

  async function transaction<T>(run: (tx: Queries) => Promise<T>, caller?: Caller): Promise<T> {
    refuseInsideTransaction(caller);
    return pglite.transaction(async (connection) => {
      const { tx, close, assertCanCommit } = openTransaction({
        caller,
        nextVersion,
        query: (text, params) => query(connection, text, params, caller),
        prisma,
        queryable: () => adapterOf(connection),
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

  const { prisma, disconnect } = createPrisma(
    new EmbeddedPrisma(pglite, refuseInsideTransaction),
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
  async function sql<Row>(text: string, params?: readonly unknown[], caller?: Caller): Promise<Row[]> {
    refuseInsideTransaction(caller);
    return query<Row>(pglite, text, params, caller);
  }
  const short = <Row>(text: string, params?: readonly unknown[]) => sql<Row>(text, params);
  const db: Db = {
    prisma,
    caller: undefined,
    embedded: true,
    kept,
    nextVersion,
    sql: short,
    // One connection serves everything here.
    short,
    transaction: (run) => transaction(run),
    on: (caller) => ({
      ...db,
      caller,
      sql: (text, params) => sql(text, params, caller),
      transaction: (run) => transaction(run, caller),
      prisma: modelsFor(prisma, caller),
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
      return pglite.listen(channel, listener.hear);
    },
    async holdStill(run) {
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
    migrating: (run) => run(new EmbeddedPrisma(pglite, refuseInsideTransaction)),
  };
  return db;
}

const ownParsers = Object.fromEntries(ownTypes);

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
    const archive = template === undefined ? {} : { loadDataDir: new Blob([await readArchive(template)]) };
    return { pglite: await opened({ ...usual, ...archive }), unlock: async () => {} };
  }
  const directory = resolve(dataDir);
  await mkdir(dirname(directory), { recursive: true });
  const unlock = await lockDirectory(directory);
  try {
    // Left behind only by a process that died while it made the directory: what it made is not complete.
    const unfinished = `${directory}.unfinished`;
    if (existsSync(unfinished)) await rm(directory, { recursive: true, force: true });
    const fresh = !existsSync(directory);
    if (fresh) await writeFile(unfinished, '');
    if (fresh && template !== undefined) await unpackArchive(template, directory);
    const pglite = await opened({ ...usual, dataDir: directory });
    await rm(unfinished, { force: true });
    return { pglite, unlock };
  } catch (error) {
    await unlock();
    throw error;
  }
}
