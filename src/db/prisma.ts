/** The Prisma client over a driver adapter, with every statement it sends made visible. */
import type { SqlDriverAdapterFactory, SqlQueryable } from '@prisma/driver-adapter-utils';
import { PrismaClient } from '../generated/prisma/client.ts';
import type { OnStatement } from './sql.ts';

// The embedded database runs one transaction at a time, so waiting for a turn is normal and not a failure.
const transactionOptions = { maxWait: 10_000, timeout: 10_000 };

export function createPrisma(
  factory: SqlDriverAdapterFactory,
  onStatement: OnStatement | undefined,
): PrismaClient {
  return new PrismaClient({
    adapter: onStatement ? observed(factory, onStatement) : factory,
    transactionOptions,
  });
}

function observed(factory: SqlDriverAdapterFactory, onStatement: OnStatement): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = observeQueries(await factory.connect(), onStatement);
      const start = adapter.startTransaction.bind(adapter);
      adapter.startTransaction = async (level) => observeQueries(await start(level), onStatement);
      return adapter;
    },
  };
}

function observeQueries<T extends SqlQueryable>(target: T, onStatement: OnStatement): T {
  const query = target.queryRaw.bind(target);
  const execute = target.executeRaw.bind(target);
  target.queryRaw = (params) => {
    onStatement(params.sql);
    return query(params);
  };
  target.executeRaw = (params) => {
    onStatement(params.sql);
    return execute(params);
  };
  return target;
}
