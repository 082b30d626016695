/** Prisma adapter of PGlite: `pglite-prisma-adapter` with corrected transactions and scripts. */
import { messages, type PGlite, type Transaction as PGliteTransaction } from '@electric-sql/pglite';
import { DriverAdapterError, type SqlDriverAdapter, type Transaction } from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { toSelfRecordingMigrationScript } from '../../vendor/prisma/migrations-table.ts';
import { createPrismaConnection } from './restrict-pglite-type-parsers.ts';

export class EmbeddedPrismaAdapterFactory extends PrismaPGlite {
  readonly #pglite: PGlite;
  readonly #check: () => void;

  constructor(pglite: PGlite, check: () => void = () => {}) {
    super(createPrismaConnection(pglite));
    this.#pglite = pglite;
    this.#check = check;
  }

  override async connect(): Promise<SqlDriverAdapter> {
    const adapter = await super.connect();
    const query = adapter.queryRaw.bind(adapter);
    const execute = adapter.executeRaw.bind(adapter);
    adapter.queryRaw = async (params) => {
      this.#check();
      return query(params);
    };
    adapter.executeRaw = async (params) => {
      this.#check();
      return execute(params);
    };
    // The original does not await the script, so that a failing one becomes an unhandled rejection.
    adapter.executeScript = async (script) => {
      const sql = await toSelfRecordingMigrationScript(script, async <Row>(text: string) => {
        const { rows } = await this.#pglite.query<Row>(text);
        return rows;
      });
      await this.#pglite.exec(sql).catch((error: unknown) => {
        throw error instanceof messages.DatabaseError ? toAdapterError(error) : error;
      });
    };
    adapter.startTransaction = async () => {
      this.#check();
      return startTransaction(this.#pglite);
    };
    return adapter;
  }

  /** Used only for comparing migrations, which runs on an empty in-memory database. */
  override connectToShadowDb(): Promise<SqlDriverAdapter> {
    return this.connect();
  }
}

/** Prisma adapter of a transaction's connection. */
export const createPrismaAdapterOfTransaction = (connection: PGliteTransaction): Promise<SqlDriverAdapter> =>
  new PrismaPGlite(createPrismaConnection(connection)).connect();

/**
 * Begins a transaction that Prisma ends later. The original loses errors of COMMIT. The isolation level is ignored, because a single
 * connection runs its transactions one after the other.
 */
function startTransaction(pglite: PGlite): Promise<Transaction> {
  return new Promise((resolve, reject) => {
    const ended = pglite.transaction(async (connection) => {
      const queries = await createPrismaAdapterOfTransaction(connection);
      await new Promise<void>((end) => {
        resolve({
          provider: queries.provider,
          adapterName: queries.adapterName,
          options: { usePhantomQuery: true },
          queryRaw: (params) => queries.queryRaw(params),
          executeRaw: (params) => queries.executeRaw(params),
          commit() {
            end();
            return ended;
          },
          async rollback() {
            // The only connection must be released even if ROLLBACK fails.
            await connection.rollback().finally(end);
            await ended;
          },
        });
      });
    });
    ended.catch(reject);
  });
}

/** The schema engine reports the details of a failed migration only for this class of errors. */
function toAdapterError(error: messages.DatabaseError): DriverAdapterError {
  const { code = '', severity = '', message, detail, column, hint } = error;
  return new DriverAdapterError({ kind: 'postgres', code, severity, message, detail, column, hint });
}
