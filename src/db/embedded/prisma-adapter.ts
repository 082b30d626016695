/** Prisma's view of PGlite: `pglite-prisma-adapter` with its transactions and scripts replaced. */
import { messages, type PGlite, type Transaction as PGliteTransaction } from '@electric-sql/pglite';
import { DriverAdapterError, type SqlDriverAdapter, type Transaction } from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { wrapForPrisma } from './pglite-types.ts';
import { yieldIfBusy } from './yield-event-loop.ts';

export class EmbeddedPrismaAdapterFactory extends PrismaPGlite {
  readonly #pglite: PGlite;
  readonly #check: () => void;

  constructor(pglite: PGlite, check: () => void = () => {}) {
    super(wrapForPrisma(pglite));
    this.#pglite = pglite;
    this.#check = check;
  }

  override async connect(): Promise<SqlDriverAdapter> {
    const adapter = await super.connect();
    const query = adapter.queryRaw.bind(adapter);
    const execute = adapter.executeRaw.bind(adapter);
    adapter.queryRaw = async (params) => {
      this.#check();
      await yieldIfBusy();
      return query(params);
    };
    adapter.executeRaw = async (params) => {
      this.#check();
      await yieldIfBusy();
      return execute(params);
    };
    // The original returns before the script has run, and a failing script becomes an unhandled rejection.
    adapter.executeScript = async (script) => {
      await this.#pglite.exec(script).catch((error: unknown) => {
        throw error instanceof messages.DatabaseError ? toAdapterError(error) : error;
      });
    };
    adapter.startTransaction = async () => {
      this.#check();
      return startTransaction(this.#pglite);
    };
    return adapter;
  }

  /** Only comparing migrations asks for this, and that is done on an empty database in memory. */
  override connectToShadowDb(): Promise<SqlDriverAdapter> {
    return this.connect();
  }
}

/** Prisma's view of a transaction's connection. */
export const connectTransactionAdapter = (connection: PGliteTransaction): Promise<SqlDriverAdapter> =>
  new PrismaPGlite(wrapForPrisma(connection)).connect();

/**
 * Opens a transaction that Prisma ends later. The original loses errors of COMMIT; the isolation level is not
 * passed on because one connection runs its transactions one after the other anyway.
 */
function startTransaction(pglite: PGlite): Promise<Transaction> {
  return new Promise((resolve, reject) => {
    const ended = pglite.transaction(async (connection) => {
      const queries = await connectTransactionAdapter(connection);
      await new Promise<void>((end) => {
        resolve({
          provider: queries.provider,
          adapterName: queries.adapterName,
          options: { usePhantomQuery: true },
          queryRaw: async (params) => {
            await yieldIfBusy();
            return queries.queryRaw(params);
          },
          executeRaw: async (params) => {
            await yieldIfBusy();
            return queries.executeRaw(params);
          },
          commit() {
            end();
            return ended;
          },
          async rollback() {
            // Whatever happens here, the only connection must become free again.
            await connection.rollback().finally(end);
            await ended;
          },
        });
      });
    });
    ended.catch(reject);
  });
}

/** Only in this form does the schema engine tell what is wrong with a migration. */
function toAdapterError(error: messages.DatabaseError): DriverAdapterError {
  const { code = '', severity = '', message, detail, column, hint } = error;
  return new DriverAdapterError({ kind: 'postgres', code, severity, message, detail, column, hint });
}
