/** The Prisma client over a driver adapter: its statements can be seen, and it can join a transaction of `sql`. */
import type {
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils';
import { type Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { AsyncContext } from '../lib/async/async-context.ts';
import { attachAuditContext } from './audit-context.ts';
import type { OnStatement, PrismaModels } from './handles.ts';
import { currentPrismaContext } from './query-context.ts';
import { traceStatement } from './statement-tracing.ts';

// The embedded database runs one transaction at a time, so waiting for a turn is normal and not a failure.
const transactionOptions = { maxWait: 10_000, timeout: 10_000 };
// The database's own timeouts end a joined transaction sooner.
const joinedTimeoutMs = 120_000;

/** Made for the first who asks: it takes a tenth of a second to read its models, which no start should wait for. */
export function createPrismaClient(
  factory: SqlDriverAdapterFactory,
  onStatement: OnStatement | undefined,
): { prisma: PrismaClient; disconnect(): Promise<void> } {
  let made: PrismaClient | undefined;
  const client = () => {
    made ??= new PrismaClient({
      adapter: watchedAndSigned(withJoining(factory), onStatement),
      transactionOptions,
    });
    return made;
  };
  const prisma = new Proxy({} as PrismaClient, {
    get(_none, name) {
      const found: unknown = Reflect.get(client(), name);
      return typeof found === 'function' ? found.bind(made) : found;
    },
  });
  return { prisma, disconnect: async () => made?.$disconnect() };
}

/** The connection of the transaction that Prisma is asked to join, on the way from `joinTransaction` to the adapter. */
const joining = new AsyncContext<SqlQueryable>();

function withJoining(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = await factory.connect();
      const start = adapter.startTransaction.bind(adapter);
      adapter.startTransaction = async (level) => {
        const connection = joining.get();
        return connection ? asTransaction(connection) : start(level);
      };
      return adapter;
    },
  };
}

/** Ending it is left to whoever began it. */
const asTransaction = (connection: SqlQueryable): Transaction => ({
  provider: connection.provider,
  adapterName: connection.adapterName,
  options: { usePhantomQuery: true },
  queryRaw: (params) => connection.queryRaw(params),
  executeRaw: (params) => connection.executeRaw(params),
  commit: async () => {},
  rollback: async () => {},
});

type Model = Record<string, (args: unknown) => Promise<unknown>>;

/**
 * Prisma's models on the connection of a transaction that `sql` has begun. Prisma joins with the first call, so that
 * transactions without Prisma cost nothing more. `watched` runs around every call.
 */
export function joinTransaction(
  prisma: PrismaClient,
  connection: () => Promise<SqlQueryable>,
  watched: <T>(run: () => Promise<T>) => Promise<T>,
): { records: PrismaModels; end(): Promise<void> } {
  let joined: Promise<Prisma.TransactionClient> | undefined;
  let over: Promise<void> | undefined;
  let leave = () => {};
  const join = () =>
    new Promise<Prisma.TransactionClient>((resolve, reject) => {
      const stays = new Promise<void>((done) => {
        leave = done;
      });
      over = connection()
        .then((at) =>
          joining.run(at, () =>
            prisma.$transaction(
              (client) => {
                resolve(client);
                return stays;
              },
              { timeout: joinedTimeoutMs },
            ),
          ),
        )
        .catch(reject);
    });
  const call = (model: string, method: string) => (args: unknown) =>
    watched(async () => {
      joined ??= join();
      const client = (await joined) as unknown as Record<string, Model>;
      return client[model]?.[method]?.(args);
    });
  const records = new Proxy(
    {},
    {
      get: (_models, model: string) =>
        new Proxy({}, { get: (_model, method: string) => call(model, method) }),
    },
  );
  return {
    records: records as PrismaModels,
    async end() {
      leave();
      await over;
    },
  };
}

/** Every statement is seen, and says who writes. */
function watchedAndSigned(
  factory: SqlDriverAdapterFactory,
  onStatement: OnStatement | undefined,
): SqlDriverAdapterFactory {
  const passing = (query: SqlQuery): SqlQuery => {
    onStatement?.(query.sql);
    const own = attachAuditContext(query.sql, query.args.length, currentPrismaContext()?.auditContext);
    if (!own) return query;
    const { args, argTypes } = query;
    return { sql: own.text, args: [...args, own.author], argTypes: [...argTypes, authorType] };
  };
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = passQueries(await factory.connect(), passing);
      const start = adapter.startTransaction.bind(adapter);
      adapter.startTransaction = async (level) => passQueries(await start(level), passing);
      return adapter;
    },
  };
}

const authorType = { scalarType: 'string', arity: 'scalar' } as const;

function passQueries<T extends SqlQueryable>(target: T, passing: (query: SqlQuery) => SqlQuery): T {
  const query = target.queryRaw.bind(target);
  const execute = target.executeRaw.bind(target);
  target.queryRaw = (params) => traceStatement(params.sql, () => query(passing(params)));
  target.executeRaw = (params) => traceStatement(params.sql, () => execute(passing(params)));
  return target;
}
