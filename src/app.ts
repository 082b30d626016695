/** Puts the parts together. There are no rules here. */
import { join } from 'node:path';
import { sharpImages } from './adapters/images/sharp.ts';
import { createJobDesk } from './adapters/jobs/desk.ts';
import { createJobs } from './adapters/jobs/pg-boss.ts';
import { createLocalBudgets } from './adapters/limits/budgets.ts';
import { createMemoryLimits, noLimits } from './adapters/limits/memory.ts';
import { createOutboxMail } from './adapters/mail/outbox.ts';
import { createSmtpMail } from './adapters/mail/smtp.ts';
import { createMedia } from './adapters/media/index.ts';
import type { Prometheus } from './adapters/metrics/prometheus.ts';
import {
  createSandboxPayments,
  type SandboxOptions,
  type SandboxPayments,
} from './adapters/payments/sandbox.ts';
import { createSms } from './adapters/sms/index.ts';
import { builtinText } from './adapters/text/builtin.ts';
import { createOpenAiText } from './adapters/text/openai.ts';
import { createHttpWebhooks } from './adapters/webhooks/http.ts';
import { loadKeys } from './auth/keys.ts';
import { watchRevocations } from './auth/revocations.ts';
import { createTokens } from './auth/tokens.ts';
import type { Config } from './config.ts';
import type { Services } from './context.ts';
import type { Db } from './db/sql.ts';
import { paymentEventJob } from './domains/payments/receive-event.ts';
import { createUsage } from './domains/usage/counter.ts';
import { isSignIn, maxSignInBytes } from './graphql/sign-in.ts';
import { createDocuments } from './graphql/trusted.ts';
import { createGraphqlServer } from './graphql/yoga.ts';
import { bulkResultEndpoint, bulkUploadEndpoint } from './http/bulk/files.ts';
import { createDispatch, type Dispatch } from './http/dispatch.ts';
import { handleFetch } from './http/fetch.ts';
import { createGate } from './http/guard/gate.ts';
import { createGuard } from './http/guard/guard.ts';
import { createHealth } from './http/health.ts';
import { loginCallback } from './http/login-callback.ts';
import { filesEndpoint } from './http/media/files.ts';
import { uploadEndpoint } from './http/media/upload.ts';
import { adminFor, metricsPages } from './http/operators.ts';
import { accountPages } from './http/pages/account.ts';
import { checkoutResultPages } from './http/pages/checkout-result.ts';
import { createPages } from './http/pages/index.ts';
import { outboxPages } from './http/pages/outbox.ts';
import { payEndpoint } from './http/pages/pay.ts';
import { webhookEndpoint } from './http/payment-events.ts';
import { allJobs } from './jobs.ts';
import { cacheStates } from './lib/caches.ts';
import { packageRoot } from './lib/package-root.ts';
import { createLive, type LiveOptions } from './live/live.ts';
import type { Logger } from './log.ts';
import { measured, measuredJob, measuredPort } from './measured.ts';
import type { Budgets } from './ports/budgets.ts';
import type { IdentityProvider } from './ports/identity.ts';
import type { Limits } from './ports/limits.ts';
import { type Metrics, noMetrics } from './ports/metrics.ts';
import type { Payments } from './ports/payments.ts';
import { noUsage } from './ports/usage.ts';
import { theVoices } from './rest/voices.ts';
import { createSecrets } from './secrets.ts';

export interface App {
  readonly services: Services;
  readonly dispatch: Dispatch;
  fetch(request: Request): Promise<Response>;
  /** Begins to work on jobs. */
  start(): Promise<void>;
  /** From now on the readiness check says no, no job is begun, and whoever watches is sent elsewhere. */
  startStopping(): void;
  readonly isStopping: boolean;
  /** Finishes the jobs at hand. */
  stop(): Promise<void>;
  /** Runs jobs until none is waiting now, or at all; returns how many. */
  drainJobs(whenever?: boolean): Promise<number>;
}

export interface AppOptions {
  config: Config;
  db: Db;
  log: Logger;
  /** Limits and times of live updates. */
  live?: LiveOptions;
  /** Where metrics are counted, if they are. */
  prometheus?: Prometheus | undefined;
}

export async function createApp({
  config,
  db,
  log,
  live: liveOptions,
  prometheus,
}: AppOptions): Promise<App> {
  const { executor, rest } = theVoices();
  const keys = await loadKeys(db, config.signingKey, createSecrets(config.secretsKeys));
  const metrics = prometheus?.metrics ?? noMetrics;
  const jobs = await createJobs(
    db,
    allJobs.map((job) => measuredJob(metrics, job)),
    log,
    { keepSeconds: config.retention.jobs },
  );
  const mail = config.smtpUrl ? createSmtpMail(config.smtpUrl, config.mailFrom) : createOutboxMail(db);
  const { limits, budgets } = await createLimits(config, log);
  const live = createLive(db, log, liveOptions);
  const revocations = await watchRevocations(db, log);
  const { sandbox, payments } = await paymentsFor(config, {
    db,
    secret: keys.secret,
    announce: (tx, event) => jobs.enqueue(tx, paymentEventJob, event),
  });
  const services: Services = {
    config,
    db,
    keys,
    tokens: createTokens(keys),
    revocations,
    jobs,
    mail: measuredPort(metrics, 'mail', mail, ['send']),
    payments: measured.payments(metrics, payments),
    text: measuredPort(metrics, 'text', config.llm ? createOpenAiText(config.llm) : builtinText, [
      'generate',
    ]),
    media: measuredPort(metrics, 'media', await createMedia(config.media), ['put', 'get', 'removeAll']),
    images: measuredPort(metrics, 'images', sharpImages, ['measure', 'resize']),
    sms: measuredPort(metrics, 'sms', createSms(config.sms, db), ['send']),
    webhooks: measured.webhooks(metrics, createHttpWebhooks(config.webhooks)),
    identity: await identityFor(config, metrics),
    limits,
    live,
    metrics,
    usage: config.usage ? createUsage(db, log) : noUsage,
    log,
  };
  prometheus?.observe({
    connections: db.connections,
    caches: cacheStates,
    liveStreams: () => live.state.watching,
    queues: createJobDesk(db).states,
    replicas: async () => db.replicas?.use(),
  });
  const documents = createDocuments({
    stored: join(packageRoot, 'schema', 'documents.json'),
    folder: config.trustedDocuments,
    trustedOnly: config.trustedOnly,
  });
  let stopping = false;
  const health = createHealth(db, () => stopping);
  const admin = adminFor(services, prometheus);
  const dispatch = createDispatch({
    services,
    guard: createGuard({
      budgets,
      gate: createGate({ parallel: config.maxConcurrency }),
      graphqlSignIn: { maxBytes: maxSignInBytes, is: (body) => isSignIn(documents, body) },
      metrics,
    }),
    executor,
    documents,
    yoga: createGraphqlServer(executor, documents, log),
    rest,
    health,
    endpoints: [
      ...(admin?.endpoints ?? []),
      loginCallback,
      webhookEndpoint(services),
      ...(sandbox && config.sandbox ? [payEndpoint(services, sandbox)] : []),
      ...checkoutResultPages(db),
      uploadEndpoint(services),
      filesEndpoint(services),
      bulkUploadEndpoint(services),
      bulkResultEndpoint(services),
    ],
    pages: new Map([
      ...createPages({ config, isReady: async () => (await health.ready()).status === 200 }),
      ...accountPages(services),
      ...outboxPages(services),
      ...metricsPages(services, prometheus),
      ...(admin?.files ?? []),
    ]),
  });
  return {
    services,
    dispatch,
    fetch: (request) => handleFetch(dispatch, request),
    start: () => {
      services.usage.start();
      return jobs.start(services);
    },
    startStopping: () => {
      stopping = true;
      live.stop();
      void jobs.stop().catch((error: unknown) => log.warn({ err: error }, 'jobs did not end well'));
    },
    get isStopping() {
      return stopping;
    },
    async stop() {
      admin?.rates.stop();
      await services.usage.stop();
      await live.close();
      await revocations.close();
      await jobs.stop();
      await budgets?.close();
      await limits.close();
    },
    drainJobs: (whenever) => jobs.drain(services, whenever),
  };
}

/** In Redis for several processes, else in this one. */
async function createLimits(
  { rateLimit, requestBudget, redisUrl }: Config,
  log: Logger,
): Promise<{ limits: Limits; budgets: Budgets | undefined }> {
  if (!rateLimit) return { limits: noLimits, budgets: undefined };
  if (!redisUrl) return { limits: createMemoryLimits(), budgets: createLocalBudgets(requestBudget) };
  const [{ connectRedis, createRedisLimits }, { createSharedBudgets }] = await Promise.all([
    import('./adapters/limits/redis.ts'),
    import('./adapters/limits/shared-budgets.ts'),
  ]);
  const redis = await connectRedis(redisUrl, log);
  return { limits: createRedisLimits(redis), budgets: createSharedBudgets(redis, requestBudget) };
}

async function identityFor({ oidc }: Config, metrics: Metrics): Promise<IdentityProvider | undefined> {
  if (!oidc) return undefined;
  const { createOidcProvider } = await import('./adapters/identity/openid-connect.ts');
  return measured.identity(metrics, createOidcProvider(oidc));
}

/** Stripe when it is configured, our own payment page otherwise. The SDK is loaded only by who uses it. */
async function paymentsFor(
  { stripe, publicUrl }: Config,
  parts: Omit<SandboxOptions, 'publicUrl'>,
): Promise<{ payments: Payments; sandbox: SandboxPayments | undefined }> {
  if (stripe) {
    const { createStripePayments } = await import('./adapters/payments/stripe.ts');
    return { payments: createStripePayments(stripe), sandbox: undefined };
  }
  const sandbox = createSandboxPayments({ ...parts, publicUrl });
  return { payments: sandbox, sandbox };
}
