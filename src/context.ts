/** What every resolver and use case is given: the services of the process and the facts of the request. */
import type { Logger } from 'pino';
import type { Keys } from './auth/keys.ts';
import type { Revocations } from './auth/revocations.ts';
import type { Tokens } from './auth/tokens.ts';
import type { Viewer } from './auth/viewer.ts';
import type { Config } from './config.ts';
import type { Db } from './db/sql.ts';
import type { Live } from './live/live.ts';
import type { IdentityProvider } from './ports/identity.ts';
import type { Images } from './ports/images.ts';
import type { Jobs } from './ports/jobs.ts';
import type { Limits } from './ports/limits.ts';
import type { Mail } from './ports/mail.ts';
import type { MediaStore } from './ports/media.ts';
import type { Metrics, Voice } from './ports/metrics.ts';
import type { Payments } from './ports/payments.ts';
import type { Sms } from './ports/sms.ts';
import type { TextGenerator } from './ports/text.ts';
import type { Usage } from './ports/usage.ts';
import type { WebhookSender } from './ports/webhooks.ts';

/** Made once, in src/app.ts. */
export interface Services {
  readonly config: Config;
  readonly db: Db;
  readonly keys: Keys;
  readonly tokens: Tokens;
  readonly revocations: Revocations;
  readonly jobs: Jobs;
  readonly mail: Mail;
  readonly sms: Sms;
  /** Where uploaded files are. */
  readonly media: MediaStore;
  readonly images: Images;
  /** Undefined while no identity provider is configured. */
  readonly identity: IdentityProvider | undefined;
  readonly limits: Limits;
  readonly live: Live;
  readonly payments: Payments;
  readonly text: TextGenerator;
  readonly webhooks: WebhookSender;
  readonly metrics: Metrics;
  readonly usage: Usage;
  readonly log: Logger;
}

/** What a request brings along, whichever voice it came in. */
export interface RequestFacts {
  readonly requestId: string;
  readonly voice: Voice;
  /** The caller's network address. */
  readonly address: string;
  readonly authorization: string | undefined;
  readonly apiKey: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Whoever asks keeps their own account of what is done, in its transaction: there must be one (domains/bulk). */
  readonly inOneTransaction?: boolean;
  /** What the client calls itself. */
  readonly clientName: string | undefined;
  readonly acceptLanguage?: string | undefined;
  /** What an earlier answer said about how far the database had come: this one must have come as far. */
  readonly consistencyToken: string | undefined;
  /** Headers that the answer will carry in either voice, such as what is left of a rate limit. */
  readonly answerHeaders: Record<string, string>;
  /** What the operations of this request cost so far: those of a batch share one limit. `pay` is told with every change. */
  readonly spent: { cost: number; pay?(cost: number): void };
  /** Aborted when the caller has left. Only what may stream is told. */
  readonly gone?: AbortSignal;
}

export interface Context extends Services {
  readonly request: RequestFacts;
  readonly viewer: Viewer;
}

/** Name by name: to spread them takes more than ten times as long, and what is added to a copy longer still (CONTRIBUTING.md, on shapes). */
export const contextOn = (db: Db, services: Services, request: RequestFacts, viewer: Viewer): Context => ({
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
