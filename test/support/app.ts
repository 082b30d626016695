/** Creates the app under test, with its own database. */
import { pino } from 'pino';
import type { Prometheus } from '../../src/adapters/metrics/prometheus.ts';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { defaultLiveOptions, type LiveOptions } from '../../src/live/live-updates.ts';
import { recordStatement } from './business-scope-check.ts';
import { testDb } from './database.ts';
import { checkStatementLockOrder } from './lock-order.ts';
import { createAppOnServers } from './several-servers.ts';
import { TestApp } from './test-app.ts';

export * from './test-app.ts';

/** Tests create many unpaid orders from one address, and operations are slow on a busy machine. */
const relaxedLimits = {
  UNPAID_ORDERS_PER_CUSTOMER: '100000',
  UNPAID_ORDERS_PER_ADDRESS: '100000',
  OPERATION_TIMEOUT: '60s',
};

/** `FAST_PATH=off npx vitest run test/<folder>` runs tests without the fast path. */
const testFastPath = { FAST_PATH: process.env.FAST_PATH ?? 'on' };

/** App on a clone of the migrated template database; one per test file. */
export async function testApp(
  env: Record<string, string> = {},
  live: LiveOptions = defaultLiveOptions,
  prometheus?: Prometheus,
): Promise<TestApp> {
  const statements: string[] = [];
  const config = readConfig({
    ALLOWED_ORIGINS: 'http://shop.test',
    ...relaxedLimits,
    ...testFastPath,
    ...env,
  });
  const options = {
    batching: config.fastPath,
    onStatement: (text: string) => {
      statements.push(text);
      checkStatementLockOrder(text);
      recordStatement(text);
      prometheus?.metrics.statement();
    },
  };
  const db = await testDb(options);
  if (process.env.TEST_SHARDS === 'on')
    return createAppOnServers({ config, home: db, second: await testDb(options), statements, live });
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const app = await createApp({
    config,
    db,
    log,
    live,
    prometheus,
  });
  return new TestApp(app, db, statements);
}
