/** Composition root: creates the adapters, services and HTTP dispatcher of one gateway. Contains no business rules. */
import { join } from 'node:path';
import { builtinBlockValueGenerator } from './adapters/block-value-generator/builtin.ts';
import { createOpenAiBlockValueGenerator } from './adapters/block-value-generator/openai.ts';
import { createHttpEdgeCache } from './adapters/edge-cache/http.ts';
import { sharpImageProcessor } from './adapters/images/sharp.ts';
import { createJobAdmin } from './adapters/jobs/job-admin.ts';
import { createJobRunner } from './adapters/jobs/pg-boss.ts';
import { createSandboxMailSender } from './adapters/mail/sandbox.ts';
import { createSmtpMailSender } from './adapters/mail/smtp.ts';
import { createMediaStore } from './adapters/media/create-media-store.ts';
import type { Prometheus } from './adapters/metrics/prometheus.ts';
import { createSmsSender } from './adapters/sms/create-sms-sender.ts';
import { createHttpWebhookSender } from './adapters/webhooks/http.ts';
import { loadGatewayKeys } from './auth/gateway-keys.ts';
import { createRevokedSessionCache } from './auth/revoked-session-cache.ts';
import { createJwtService } from './auth/sign-and-verify-tokens.ts';
import type { Config } from './config.ts';
import type { Services } from './context.ts';
import {
  createIdentityProvider,
  createPaymentProvider,
  createRateLimiterAndBudgets,
} from './create-limits-identity-and-payment-adapters.ts';
import { createUsageAndRequestLogRecorders } from './create-usage-and-request-log-recorders.ts';
import type { Db } from './db/handles.ts';
import { sandboxPaymentEventJob } from './domains/payments/receive-payment-event.ts';
import { isPureSignInRequest, maxSignInBytes } from './graphql/http/is-pure-sign-in-request.ts';
import { createTrustedDocumentRegistry } from './graphql/http/trusted-documents.ts';
import { createYogaServer } from './graphql/http/yoga-server.ts';
import { createHttpDispatcher, type DispatchHttpRequest } from './http/dispatch-request.ts';
import { createBulkResultEndpoint, createBulkUploadEndpoint } from './http/files/bulk-file-endpoints.ts';
import { createMediaFileEndpoint } from './http/files/media-file-endpoint.ts';
import { createMediaUploadEndpoint } from './http/files/multipart-upload.ts';
import { createConcurrencyGate } from './http/guard/concurrency-gate.ts';
import { createRequestGuard } from './http/guard/request-guard.ts';
import { createHealthResponses } from './http/health-responses.ts';
import { createAdminPages, createMetricsPages } from './http/metrics-and-admin-pages.ts';
import { oidcCallbackEndpoint } from './http/oidc-callback-endpoint.ts';
import { createPages } from './http/pages/create-pages.ts';
import { createAccountPages } from './http/pages/customer/account-pages.ts';
import { createCheckoutResultEndpoints } from './http/pages/customer/checkout-result-pages.ts';
import { createInvitationPage } from './http/pages/customer/invitation-page.ts';
import { createOrderPageEndpoint } from './http/pages/customer/order-page.ts';
import { createRestGraphqlTranslatorEndpoint } from './http/pages/rest-graphql-translator/translator-endpoint.ts';
import { createSandboxOutboxPages } from './http/pages/sandbox-outbox-page.ts';
import { createSandboxPayEndpoint } from './http/pages/sandbox-payment-page.ts';
import { createPaymentWebhookEndpoint } from './http/payment-webhook-endpoint.ts';
import { createFetchApiAdapter } from './http/server/fetch-api-adapter.ts';
import { instrumentJob, instrumentPort, portInstrumenters } from './instrument-ports-and-jobs.ts';
import { collectCacheStats } from './lib/cache/cache-registry.ts';
import { packageRoot } from './lib/package-info.ts';
import { createLiveUpdates, type LiveOptions } from './live/live-updates.ts';
import type { Logger } from './log.ts';
import { allJobs } from './maintenance/all-jobs.ts';
import { startEnqueuingEdgeCachePurges } from './maintenance/send-edge-cache-purges.ts';
import type { PrimaryProcessClient } from './ports/primary-process-client.ts';
import { getProtocolHandlersOfProcess } from './rest/document-preparer-and-rest-handler-per-process.ts';
import { createSecretsKeyCipher } from './secrets-key-cipher.ts';
import type { BusinessServer } from './servers/server-dbs.ts';
import { createServicesOfServers } from './servers/services-of-servers.ts';

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
  /** Database servers in addition to `db`, with the same migrations. */
  servers?: readonly BusinessServer[] | undefined;
  /** Limits and intervals of live updates. */
  live?: LiveOptions;
  /** Undefined: metrics are not collected. */
  prometheus?: Prometheus | undefined;
  /** Present in a worker of `duet start --workers`. */
  primary?: PrimaryProcessClient | undefined;
}

export async function createApp(options: AppOptions): Promise<App> {
  const { config, db, servers = [], log, live: liveOptions, prometheus, primary } = options;
  const { preparer, rest } = getProtocolHandlersOfProcess(config.fastPath);
  const keys = await loadGatewayKeys(db, config.signingKey, createSecretsKeyCipher(config.secretsKeys));
  const metrics = prometheus?.metrics;
  const definitions = allJobs.map((job) => instrumentJob(metrics, job));
  const jobs = await createJobRunner(db, definitions, log, { retentionSeconds: config.retention.jobs });
  const mail = config.smtpUrl
    ? createSmtpMailSender(config.smtpUrl, config.mailFrom)
    : createSandboxMailSender(db);
  const { limits, budgets } = await createRateLimiterAndBudgets(config, log, primary);
  const live = createLiveUpdates(db, log, liveOptions);
  const revocations = await createRevokedSessionCache(db, keys, log);
  const { sandbox, payments } = await createPaymentProvider(config, {
    db,
    secret: keys.secret,
    enqueueEvent: (tx, event) => jobs.enqueue(tx, sandboxPaymentEventJob, event),
  });
  const tokens = createJwtService(keys);
  const recorders = createUsageAndRequestLogRecorders(config, { db, log, tokens, revocations });
  const ownServices: Services = {
    config,
    db,
    keys,
    tokens,
    revocations,
    jobs,
    mail: instrumentPort(metrics, 'mail', mail, ['send']),
    payments: portInstrumenters.payments(metrics, payments),
    blockValues: instrumentPort(
      metrics,
      'text',
      config.llm ? createOpenAiBlockValueGenerator(config.llm) : builtinBlockValueGenerator,
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
    edgeCache:
      config.edgeCache.urls.length === 0
        ? undefined
        : instrumentPort(metrics, 'edge-cache', createHttpEdgeCache(config.edgeCache), ['purge']),
    identity: await createIdentityProvider(config, metrics),
    limits,
    live,
    metrics,
    usage: recorders.usage,
    requestLog: recorders.requestLog,
    log,
    servers: undefined,
  };
  const { services, ...background } = await createServicesOfServers(
    { services: ownServices, jobs },
    servers,
    liveOptions,
  );
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
  let replaced = false;
  let stopPurgePoller: (() => void) | undefined;
  primary?.onReplaced(() => {
    replaced = true;
  });
  // A worker that is replaced does not make the gateway unavailable: the others accept requests.
  const isEmbedded = config.databaseUrl === undefined;
  const health = createHealthResponses(db, () => stopping && !replaced, {
    workers: primary?.counts,
    isEmbedded,
  });
  const admin = createAdminPages(services, prometheus);
  const dispatch = createHttpDispatcher({
    services,
    guard: createRequestGuard({
      budgets,
      guestNetworkBudgets: config.guestNetworkBudgets,
      gate: createConcurrencyGate({
        parallel: Math.ceil(config.maxConcurrency / (primary ? config.workers : 1)),
      }),
      graphqlSignIn: { maxBytes: maxSignInBytes, is: (body) => isPureSignInRequest(documents, body) },
      metrics,
    }),
    preparer,
    documents,
    yoga: createYogaServer(preparer, documents, log),
    rest,
    health,
    endpoints: [
      ...(admin?.endpoints ?? []),
      oidcCallbackEndpoint,
      createPaymentWebhookEndpoint(services),
      ...(sandbox && config.sandbox ? [createSandboxPayEndpoint(services, sandbox)] : []),
      ...createCheckoutResultEndpoints(services),
      createOrderPageEndpoint(services),
      createMediaUploadEndpoint(services),
      createMediaFileEndpoint(services),
      createBulkUploadEndpoint(services),
      createBulkResultEndpoint(services),
      createRestGraphqlTranslatorEndpoint(config),
    ],
    pages: new Map([
      ...createPages({ config, isReady: async () => (await health.ready()).status === 200 }),
      ...createAccountPages(services),
      createInvitationPage(services),
      ...createSandboxOutboxPages(services),
      ...createMetricsPages(
        services,
        prometheus && { contentType: prometheus.contentType, text: primary?.metrics ?? prometheus.text },
      ),
      ...(admin?.files ?? []),
    ]),
  });
  return {
    services,
    dispatch,
    fetch: createFetchApiAdapter(dispatch),
    async start() {
      recorders.start();
      if (services.edgeCache) stopPurgePoller = startEnqueuingEdgeCachePurges(services);
      await background.start();
    },
    beginShutdown: () => {
      stopping = true;
      stopPurgePoller?.();
      background.beginShutdown();
    },
    get isStopping() {
      return stopping;
    },
    async stop() {
      admin?.rates.stop();
      stopPurgePoller?.();
      await recorders.stop();
      await background.stop();
      await revocations.close();
      await budgets?.close();
      await limits.close();
    },
    drainJobs: background.drainJobs,
  };
}
