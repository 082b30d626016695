/** Composition root: creates the adapters, services and HTTP dispatcher of one gateway. Contains no business rules. */

import { join } from 'node:path';
import { sharpImageProcessor } from './adapters/images/sharp.ts';
import { createJobAdmin } from './adapters/jobs/admin.ts';
import { createJobRunner } from './adapters/jobs/pg-boss.ts';
import { createSandboxMailSender } from './adapters/mail/sandbox.ts';
import { createSmtpMailSender } from './adapters/mail/smtp.ts';
import { createMediaStore } from './adapters/media/create-media-store.ts';
import type { Prometheus } from './adapters/metrics/prometheus.ts';
import { createSmsSender } from './adapters/sms/create-sms.ts';
import { builtinTextGenerator } from './adapters/text-generator/builtin.ts';
import { createOpenAiTextGenerator } from './adapters/text-generator/openai.ts';
import { createHttpWebhookSender } from './adapters/webhooks/http.ts';
import { watchRevokedSessions } from './auth/revoked-sessions.ts';
import { loadSigningKeys } from './auth/signing-keys.ts';
import { createAuthTokenService } from './auth/tokens.ts';
import type { Config } from './config.ts';
import {
  createConfiguredIdentityProvider,
  createConfiguredLimits,
  createConfiguredPaymentProvider,
} from './configured-adapters.ts';
import type { Services } from './context.ts';
import type { Db } from './db/handles.ts';
import { paymentEventJob } from './domains/payments/receive-event.ts';
import { createUsageRecorder } from './domains/usage/usage-recorder.ts';
import { isGraphqlSignInRequest, maxSignInBytes } from './graphql/http/sign-in-detection.ts';
import { createTrustedDocumentRegistry } from './graphql/http/trusted-documents.ts';
import { createYogaServer } from './graphql/http/yoga.ts';
import { createHttpDispatcher, type DispatchHttpRequest } from './http/dispatch.ts';
import { bulkResultEndpoint, bulkUploadEndpoint } from './http/files/bulk-files.ts';
import { mediaFileEndpoint } from './http/files/media-files.ts';
import { mediaUploadEndpoint } from './http/files/multipart-upload.ts';
import { createConcurrencyGate } from './http/guard/concurrency-gate.ts';
import { createRequestGuard } from './http/guard/request-guard.ts';
import { createHealthChecks } from './http/health.ts';
import { oidcCallbackEndpoint } from './http/oidc-callback.ts';
import { createAdminPages, createMetricsPages } from './http/operator-endpoints.ts';
import { createPages } from './http/pages/create-pages.ts';
import { accountPages } from './http/pages/customer/account-pages.ts';
import { checkoutResultEndpoints } from './http/pages/customer/checkout-result.ts';
import { sandboxOutboxPages } from './http/pages/sandbox-outbox.ts';
import { sandboxPayEndpoint } from './http/pages/sandbox-pay.ts';
import { paymentWebhookEndpoint } from './http/payment-webhook.ts';
import { handleFetch } from './http/server/fetch-handler.ts';
import { instrumentJob, instrumentPort, portInstrumenters } from './instrumentation.ts';
import { collectCacheStats } from './lib/cache/cache-registry.ts';
import { packageRoot } from './lib/package-info.ts';
import { createLiveUpdates, type LiveOptions } from './live/live-updates.ts';
import type { Logger } from './log.ts';
import { allJobs } from './maintenance/background-jobs.ts';
import { noopMetrics } from './ports/metrics.ts';
import { noopUsage } from './ports/usage.ts';
import { sharedProtocolHandlers } from './rest/protocol-handlers.ts';
import { createSecretCipher } from './secret-encryption.ts';

export interface App {
  readonly services: Services;
  readonly dispatch: DispatchHttpRequest;
  fetch(request: Request): Promise<Response>;
  /** Starts the job workers and the usage counter. */
  start(): Promise<void>;
  /** Readiness turns 503, no new job starts, and live streams end so that their clients reconnect to another process. */
  beginShutdown(): void;
  readonly isStopping: boolean;
  /** Waits for running jobs, then closes connections. */
  stop(): Promise<void>;
  /** Runs all jobs that are due, with `includeScheduled` also those scheduled for later; returns their number. */
  drainJobs(includeScheduled?: boolean): Promise<number>;
}

export interface AppOptions {
  config: Config;
  db: Db;
  log: Logger;
  /** Limits and intervals of live updates. */
  live?: LiveOptions;
  /** Undefined: metrics are not collected. */
  prometheus?: Prometheus | undefined;
}

export async function createApp({
  config,
  db,
  log,
  live: liveOptions,
  prometheus,
}: AppOptions): Promise<App> {
  const { executor, rest } = sharedProtocolHandlers();
  const keys = await loadSigningKeys(db, config.signingKey, createSecretCipher(config.secretsKeys));
  const metrics = prometheus?.metrics ?? noopMetrics;
  const jobs = await createJobRunner(
    db,
    allJobs.map((job) => instrumentJob(metrics, job)),
    log,
    { retentionSeconds: config.retention.jobs },
  );
  const mail = config.smtpUrl
    ? createSmtpMailSender(config.smtpUrl, config.mailFrom)
    : createSandboxMailSender(db);
  const { limits, budgets } = await createConfiguredLimits(config, log);
  const live = createLiveUpdates(db, log, liveOptions);
  const revocations = await watchRevokedSessions(db, log);
  const { sandbox, payments } = await createConfiguredPaymentProvider(config, {
    db,
    secret: keys.secret,
    enqueueEvent: (tx, event) => jobs.enqueue(tx, paymentEventJob, event),
  });
  const services: Services = {
    config,
    db,
    keys,
    tokens: createAuthTokenService(keys),
    revocations,
    jobs,
    mail: instrumentPort(metrics, 'mail', mail, ['send']),
    payments: portInstrumenters.payments(metrics, payments),
    text: instrumentPort(
      metrics,
      'text',
      config.llm ? createOpenAiTextGenerator(config.llm) : builtinTextGenerator,
      ['generate'],
    ),
    media: instrumentPort(metrics, 'media', await createMediaStore(config.media), [
      'put',
      'get',
      'removeAll',
    ]),
    images: instrumentPort(metrics, 'images', sharpImageProcessor, ['measure', 'resize']),
    sms: instrumentPort(metrics, 'sms', createSmsSender(config.sms, db), ['send']),
    webhooks: portInstrumenters.webhooks(metrics, createHttpWebhookSender(config.webhooks)),
    identity: await createConfiguredIdentityProvider(config, metrics),
    limits,
    live,
    metrics,
    usage: config.usage ? createUsageRecorder(db, log) : noopUsage,
    log,
  };
  prometheus?.registerGaugeSources({
    connections: db.connections,
    caches: collectCacheStats,
    liveStreams: () => live.state.watching,
    queues: createJobAdmin(db).states,
    replicas: async () => db.replicas?.status(),
  });
  const documents = createTrustedDocumentRegistry({
    manifestPath: join(packageRoot, 'schema', 'documents.json'),
    folder: config.trustedDocuments,
    trustedOnly: config.trustedOnly,
  });
  let stopping = false;
  const health = createHealthChecks(db, () => stopping);
  const admin = createAdminPages(services, prometheus);
  const dispatch = createHttpDispatcher({
    services,
    guard: createRequestGuard({
      budgets,
      gate: createConcurrencyGate({ parallel: config.maxConcurrency }),
      graphqlSignIn: { maxBytes: maxSignInBytes, is: (body) => isGraphqlSignInRequest(documents, body) },
      metrics,
    }),
    executor,
    documents,
    yoga: createYogaServer(executor, documents, log),
    rest,
    health,
    endpoints: [
      ...(admin?.endpoints ?? []),
      oidcCallbackEndpoint,
      paymentWebhookEndpoint(services),
      ...(sandbox && config.sandbox ? [sandboxPayEndpoint(services, sandbox)] : []),
      ...checkoutResultEndpoints(db),
      mediaUploadEndpoint(services),
      mediaFileEndpoint(services),
      bulkUploadEndpoint(services),
      bulkResultEndpoint(services),
    ],
    pages: new Map([
      ...createPages({ config, isReady: async () => (await health.ready()).status === 200 }),
      ...accountPages(services),
      ...sandboxOutboxPages(services),
      ...createMetricsPages(services, prometheus),
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
    beginShutdown: () => {
      stopping = true;
      live.stop();
      void jobs
        .stop()
        .catch((error: unknown) => log.warn({ err: error }, 'the job runner did not stop cleanly'));
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
    drainJobs: (includeScheduled) => jobs.drain(services, includeScheduled),
  };
}
