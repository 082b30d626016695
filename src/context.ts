/** What every resolver and use case is given: the services of the process and the facts of the request. */
import type { Logger } from 'pino';
import type { RevokedSessions } from './auth/revoked-sessions.ts';
import type { SigningKeys } from './auth/signing-keys.ts';
import type { Tokens } from './auth/tokens.ts';
import type { Viewer } from './auth/viewer.ts';
import type { Config } from './config.ts';
import type { Db } from './db/handles.ts';
import type { LiveUpdates } from './live/live-updates.ts';
import type { IdentityProvider } from './ports/identity.ts';
import type { Images } from './ports/images.ts';
import type { Jobs } from './ports/jobs.ts';
import type { Mail } from './ports/mail.ts';
import type { MediaStore } from './ports/media.ts';
import type { Metrics, Protocol } from './ports/metrics.ts';
import type { Payments } from './ports/payments.ts';
import type { RateLimits } from './ports/rate-limits.ts';
import type { Sms } from './ports/sms.ts';
import type { TextGenerator } from './ports/text-generator.ts';
import type { UsageRecorder } from './ports/usage.ts';
import type { WebhookSender } from './ports/webhooks.ts';

/** Made once, in src/app.ts. */
export interface Services {
  readonly config: Config;
  readonly db: Db;
  readonly keys: SigningKeys;
  readonly tokens: Tokens;
  readonly revocations: RevokedSessions;
  readonly jobs: Jobs;
  readonly mail: Mail;
  readonly sms: Sms;
  /** Where uploaded files are. */
  readonly media: MediaStore;
  readonly images: Images;
  /** Undefined while no identity provider is configured. */
  readonly identity: IdentityProvider | undefined;
  readonly limits: RateLimits;
  readonly live: LiveUpdates;
  readonly payments: Payments;
  readonly text: TextGenerator;
  readonly webhooks: WebhookSender;
  readonly metrics: Metrics;
  readonly usage: UsageRecorder;
  readonly log: Logger;
}

/** What a request brings along, whichever voice it came in. */
export interface RequestFacts {
  readonly requestId: string;
  readonly protocol: Protocol;
  /** The caller's network address. */
  readonly address: string;
  readonly authorization: string | undefined;
  readonly apiKey: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Whoever asks keeps their own account of what is done, in its transaction: there must be one (domains/bulk). */
  readonly requiresTransaction?: boolean;
  /** What the client calls itself. */
  readonly clientName: string | undefined;
  readonly acceptLanguage?: string | undefined;
  /** What an earlier answer said about how far the database had come: this one must have come as far. */
  readonly consistencyToken: string | undefined;
  /** Headers that the answer will carry in either voice, such as what is left of a rate limit. */
  readonly responseHeaders: Record<string, string>;
  /** What the operations of this request cost so far: those of a batch share one limit. `pay` is told with every change. */
  readonly operationCost: { cost: number; pay?(cost: number): void };
  /** Aborted when the caller has left. Only what may stream is told. */
  readonly abortSignal?: AbortSignal;
}

export interface Context extends Services {
  readonly request: RequestFacts;
  readonly viewer: Viewer;
}

/** Name by name: to spread them takes more than ten times as long, and what is added to a copy longer still (CONTRIBUTING.md, on shapes). */
export const createContext = (
  db: Db,
  services: Services,
  request: RequestFacts,
  viewer: Viewer,
): Context => ({
  request,
  viewer,
  config: services.config,
  db,
  keys: services.keys,
  tokens: services.tokens,
  revocations: services.revocations,
  jobs: services.jobs,
  mail: services.mail,
  sms: services.sms,
  media: services.media,
  images: services.images,
  identity: services.identity,
  limits: services.limits,
  live: services.live,
  payments: services.payments,
  text: services.text,
  webhooks: services.webhooks,
  metrics: services.metrics,
  usage: services.usage,
  log: services.log,
});
