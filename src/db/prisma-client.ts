/** Prisma client over a driver adapter: reports its statements, adds the audit context, and can join a transaction of `sql`. */
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
import { getQueryContextOfPrismaCall, traceStatement } from './query-context-and-statement-functions.ts';

// The embedded database runs one transaction at a time, so waiting up to 10 s for the connection is normal.
const transactionOptions = { maxWait: 10_000, timeout: 10_000 };
// The timeouts of the database end a joined transaction earlier.
const joinedTimeoutMs = 120_000;

/** Creates the client lazily, on the first query: reading its models takes 100 ms, which the start should not wait for. */
export function createPrismaClient(
  factory: SqlDriverAdapterFactory,
  onStatement: OnStatement | undefined,
): { prisma: PrismaClient; disconnect(): Promise<void> } {
  let created: PrismaClient | undefined;
  const client = () => {
    created ??= new PrismaClient({
      adapter: withAuditContext(withJoining(factory), onStatement),
      transactionOptions,
    });
    return created;
  };
  const prisma = new Proxy({} as PrismaClient, {
    get(_target, name) {
      const property: unknown = Reflect.get(client(), name);
      return typeof property === 'function' ? property.bind(created) : property;
    },
  });
  return { prisma, disconnect: async () => created?.$disconnect() };
}

/** Connection of the transaction to join, passed from `joinPrismaToTransaction` to the driver adapter. */
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

/** Adapter transaction without COMMIT and ROLLBACK: `sql` began the transaction and ends it. */
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
 * Prisma's models on the connection of a transaction that `sql` has begun. Prisma joins on the first call, so that transactions
 * without Prisma have no overhead. `runChecked` wraps every call.
 */
export function joinPrismaToTransaction(
  prisma: PrismaClient,
  connection: () => Promise<SqlQueryable>,
  runChecked: <T>(run: () => Promise<T>) => Promise<T>,
): { records: PrismaModels; end(): Promise<void> } {
  let joined: Promise<Prisma.TransactionClient> | undefined;
  let ended: Promise<void> | undefined;
  let leave = () => {};
  const join = () =>
    new Promise<Prisma.TransactionClient>((resolve, reject) => {
      const untilEnd = new Promise<void>((done) => {
        leave = done;
      });
      ended = connection()
        .then((queryable) =>
          joining.run(queryable, () =>
            prisma.$transaction(
              (client) => {
                resolve(client);
                return untilEnd;
              },
              { timeout: joinedTimeoutMs },
            ),
          ),
        )
        .catch(reject);
    });
  const call = (model: string, method: string) => (args: unknown) =>
    runChecked(async () => {
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
      await ended;
    },
  };
}

/** Prisma generates statements with upper-case keywords and without CTE. */
const isWrite = (text: string): boolean => /^(?:INSERT|UPDATE|DELETE)\b/.test(text);

/** Reports every statement to `onStatement` and adds the audit context to those that write. */
function withAuditContext(
  factory: SqlDriverAdapterFactory,
  onStatement: OnStatement | undefined,
): SqlDriverAdapterFactory {
  const rewriteQuery = (query: SqlQuery): SqlQuery => {
    const context = getQueryContextOfPrismaCall();
    context?.assertStatement?.(query.sql);
    onStatement?.(query.sql);
    if (!isWrite(query.sql)) return query;
    if (!context) throw new Error('A write by Prisma needs the audit context of a database handle.');
    const { text, params } = attachAuditContext(query.sql, query.args, context.auditContext);
    return { sql: text, args: params, argTypes: [...query.argTypes, contextType] };
  };
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = interceptQueries(await factory.connect(), rewriteQuery);
      const start = adapter.startTransaction.bind(adapter);
      adapter.startTransaction = async (level) => interceptQueries(await start(level), rewriteQuery);
      return adapter;
    },
  };
}

const contextType = { scalarType: 'string', arity: 'scalar' } as const;

function interceptQueries<T extends SqlQueryable>(target: T, rewriteQuery: (query: SqlQuery) => SqlQuery): T {
  const query = target.queryRaw.bind(target);
  const execute = target.executeRaw.bind(target);
  target.queryRaw = (params) => traceStatement(params.sql, () => query(rewriteQuery(params)));
  target.executeRaw = (params) => traceStatement(params.sql, () => execute(rewriteQuery(params)));
  return target;
}
