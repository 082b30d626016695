/** Puts the parts together. There are no rules here. */
import { join } from 'node:path';
import { createOidcProvider } from './adapters/identity/openid-connect.ts';
import { createJobs } from './adapters/jobs/pg-boss.ts';
import { createMemoryLimits, createRedisLimits, noLimits } from './adapters/limits/flexible.ts';
import { createOutboxMail } from './adapters/mail/outbox.ts';
import { createSmtpMail } from './adapters/mail/smtp.ts';
import { createSms } from './adapters/sms/index.ts';
import { loadKeys } from './auth/keys.ts';
import { createTokens } from './auth/tokens.ts';
import type { Config } from './config.ts';
import { packageRoot } from './db/migrate.ts';
import type { Db } from './db/sql.ts';
import { callbackPath } from './domains/users/oauth.ts';
import type { Services } from './graphql/context.ts';
import { createExecutor } from './graphql/executor.ts';
import { schema } from './graphql/schema.ts';
import { createDocuments } from './graphql/trusted.ts';
import { createGraphqlServer } from './graphql/yoga.ts';
import { createDispatch, type Dispatch } from './http/dispatch.ts';
import { handleFetch } from './http/fetch.ts';
import { createHealth } from './http/health.ts';
import { loginCallback } from './http/login-callback.ts';
import { accountPages } from './http/pages/account.ts';
import { createPages } from './http/pages/index.ts';
import { outboxPages } from './http/pages/outbox.ts';
import { jobHandlers } from './jobs.ts';
import type { Logger } from './log.ts';
import { createRest } from './rest/engine.ts';
import { rows } from './rest/routes/index.ts';

export interface App {
  readonly services: Services;
  readonly dispatch: Dispatch;
  fetch(request: Request): Promise<Response>;
  /** Begins to work on jobs. */
  start(): Promise<void>;
  /** From now on the readiness check says no. */
  startStopping(): void;
  /** Finishes the jobs at hand. */
  stop(): Promise<void>;
  /** Runs the jobs that are waiting now; returns how many. */
  drainJobs(): Promise<number>;
}

export interface AppOptions {
  config: Config;
  db: Db;
  log: Logger;
}

export async function createApp({ config, db, log }: AppOptions): Promise<App> {
  const keys = await loadKeys(db, config.signingKey);
  const jobs = await createJobs(db, jobHandlers, log);
  const mail = config.smtpUrl ? createSmtpMail(config.smtpUrl, config.mailFrom) : createOutboxMail(db);
  const limits = await createLimits(config, log);
  const services: Services = {
    config,
    db,
    keys,
    tokens: createTokens(keys),
    jobs,
    mail,
    sms: createSms(config.sms, db),
    identity: config.oidc && createOidcProvider(config.oidc),
    limits,
    log,
  };
  const executor = createExecutor(schema);
  const documents = createDocuments({
    folders: [
      join(packageRoot, 'schema', 'operations'),
      ...(config.trustedDocuments === undefined ? [] : [config.trustedDocuments]),
    ],
    trustedOnly: config.trustedOnly,
  });
  let stopping = false;
  const health = createHealth(db, () => stopping);
  const dispatch = createDispatch({
    services,
    executor,
    documents,
    yoga: createGraphqlServer(executor, documents, log),
    rest: createRest(executor, rows),
    health,
    hooks: new Map([[`GET ${callbackPath}`, loginCallback]]),
    pages: new Map([
      ...createPages({ config, schema, rows, isReady: async () => (await health.ready()).status === 200 }),
      ...accountPages(),
      ...outboxPages(services),
    ]),
  });
  return {
    services,
    dispatch,
    fetch: (request) => handleFetch(dispatch, request),
    start: () => jobs.start(services),
    startStopping: () => {
      stopping = true;
    },
    async stop() {
      await jobs.stop();
      await limits.close();
    },
    drainJobs: () => jobs.drain(services),
  };
}

function createLimits({ rateLimit, redisUrl }: Config, log: Logger) {
  if (!rateLimit) return noLimits;
  return redisUrl ? createRedisLimits(redisUrl, log) : createMemoryLimits();
}
