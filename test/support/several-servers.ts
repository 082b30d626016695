/** An app on two database servers, and a handle for tests that leads to the server that has the rows. */
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { insertAccountPlaceholderSql } from '../../src/auth/account-placeholder-rows.ts';
import type { Config } from '../../src/config.ts';
import type { Db } from '../../src/db/handles.ts';
import { now } from '../../src/lib/time.ts';
import type { LiveOptions } from '../../src/live/live-updates.ts';
import { accountTables } from '../../src/shards/account-tables.ts';
import { TestApp } from './test-app.ts';

export const secondServer = 'second';

/** Models whose rows are on the home server: accounts, captured messages and payments of the sandbox. */
const homeModels: ReadonlySet<string> = new Set([
  ...[
    'apiToken',
    'erasure',
    'identity',
    'knownPlace',
    'loginCode',
    'oauthState',
    'oneTimeToken',
    'phoneCode',
  ],
  ...[
    'revokedSession',
    'session',
    'user',
    'outboxMessage',
    'sandboxPayment',
    'sandboxSubscription',
    'signingKey',
  ],
  ...['businessPlacement', 'businessMove'],
]);

const homeTable = new RegExp(
  `\\b(${[...accountTables, 'outbox_messages', 'sandbox_payments', 'sandbox_subscriptions', 'business_placements'].join('|')})\\b`,
);

/** Rows of businesses are written to and read from `second`, with their entries in the directory of `home`. */
export function createRoutedDb(home: Db, second: Db): Db {
  const serverOf = (text: string) => (homeTable.test(text) ? home : second);
  const place = (businessId: string) =>
    home.prisma.businessPlacement.create({ data: { businessId, shard: secondServer, updatedAt: now() } });
  const refer = (userId: string) => second.write(insertAccountPlaceholderSql, [userId, now()]);
  const created: Record<string, (data: { id: string; userId: string }) => Promise<unknown>> = {
    business: ({ id }) => place(id),
    membership: ({ userId }) => refer(userId),
    customerGroupMember: ({ userId }) => refer(userId),
  };
  const models = new Proxy({} as Record<string, unknown>, {
    get(_target, name: string) {
      const prisma = (homeModels.has(name) ? home : second).prisma as unknown as Record<string, never>;
      const before = created[name];
      const model: Record<string, unknown> = prisma[name] ?? {};
      if (!before) return model;
      return new Proxy(model, {
        get(target, method: string) {
          const run = Reflect.get(target, method) as (args: { data: never }) => Promise<unknown>;
          if (method !== 'create') return run;
          return async (args: { data: never }) => {
            await before(args.data);
            return run(args);
          };
        },
      });
    },
  });
  return {
    ...second,
    prisma: models as unknown as Db['prisma'],
    sql: (text, params) => serverOf(text).sql(text, params),
    // Each server has a queue of its own.
    write: async <Row>(text: string, params: readonly unknown[]) =>
      (
        await Promise.all(
          (text.includes('pgboss.job') ? [home, second] : [serverOf(text)]).map((db) =>
            db.write<Row>(text, params),
          ),
        )
      ).flat(),
    shortRead: (text, params) => serverOf(text).shortRead(text, params),
  };
}

interface SeveralServersOptions {
  config: Config;
  home: Db;
  second: Db;
  statements?: string[];
  live?: LiveOptions;
}

/** All businesses that the helpers of the app create are on the second server. */
export async function createAppOnServers({
  config,
  home,
  second,
  statements = [],
  live,
}: SeveralServersOptions): Promise<TestApp> {
  const app = await createApp({
    config: { ...config, usage: false, requestLog: false, homeServerWeight: 0 },
    db: home,
    servers: [{ name: secondServer, db: second, weight: 1 }],
    log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
    ...(live ? { live } : {}),
  });
  const [, services = app.services] = app.services.servers?.all ?? [];
  return new TestApp(
    Object.create(app, { services: { value: services } }),
    createRoutedDb(home, second),
    statements,
  );
}
