/** Puts the parts together. There are no rules here. */
import { createJobs } from './adapters/jobs/pg-boss.ts';
import { createOutboxMail } from './adapters/mail/outbox.ts';
import { createSmtpMail } from './adapters/mail/smtp.ts';
import { builtinText } from './adapters/text/builtin.ts';
import { createOpenAiText } from './adapters/text/openai.ts';
import { loadKeys } from './auth/keys.ts';
import { createTokens } from './auth/tokens.ts';
import type { Config } from './config.ts';
import type { Db } from './db/sql.ts';
import type { Services } from './graphql/context.ts';
import { createExecutor } from './graphql/executor.ts';
import { schema } from './graphql/schema.ts';
import { createGraphqlServer } from './graphql/yoga.ts';
import { createDispatch, type Dispatch } from './http/dispatch.ts';
import { handleFetch } from './http/fetch.ts';
import { createHealth } from './http/health.ts';
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
  const text = config.llm ? createOpenAiText(config.llm) : builtinText;
  const services: Services = { config, db, keys, tokens: createTokens(keys), jobs, mail, text, log };
  const executor = createExecutor(schema);
  let stopping = false;
  const dispatch = createDispatch({
    services,
    executor,
    yoga: createGraphqlServer(executor, log),
    rest: createRest(executor, rows),
    health: createHealth(db, () => stopping),
    pages: new Map(),
  });
  return {
    services,
    dispatch,
    fetch: (request) => handleFetch(dispatch, request),
    start: () => jobs.start(services),
    startStopping: () => {
      stopping = true;
    },
    stop: () => jobs.stop(),
    drainJobs: () => jobs.drain(services),
  };
}
