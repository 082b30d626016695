/** Wraps ports and jobs with metrics (count, outcome, duration) and trace spans. */
import { continueTrace, withSpan } from './lib/tracing.ts';
import { type IdentityProvider, IdentityRejectedError } from './ports/identity.ts';
import type { JobDefinition } from './ports/jobs.ts';
import type { CallOutcome, Metrics } from './ports/metrics.ts';
import { type PaymentProvider, PaymentRejectedError } from './ports/payments.ts';
import type { WebhookSender } from './ports/webhooks.ts';

/** Undefined while metrics are not collected: calls have spans only. */
type CallMetrics = Pick<Metrics, 'call'> | undefined;
type Report = (outcome: CallOutcome, seconds: number) => void;
type Result<Method> = Method extends (...args: never[]) => Promise<infer Value> ? Value : never;

/** How to classify calls whose result can be a failure, or whose error can be a regular response. */
interface OutcomeRules<T> {
  /** Results that count as failed, by method. */
  readonly failures?: { readonly [Name in keyof T]?: (result: Result<T[Name]>) => boolean };
  /** Errors that count as `ok`: the service works and rejected the request. */
  readonly isRejection?: (error: unknown) => boolean;
}

async function timed<T>(
  work: () => T | Promise<T>,
  report: Report,
  hasFailed?: (result: T) => boolean,
  isRejection?: (error: unknown) => boolean,
): Promise<T> {
  const started = performance.now();
  const end = (outcome: CallOutcome) => report(outcome, (performance.now() - started) / 1000);
  try {
    const result = await work();
    end(hasFailed?.(result) ? 'failed' : 'ok');
    return result;
  } catch (error) {
    end(isRejection?.(error) ? 'ok' : 'failed');
    throw error;
  }
}

/** Returns a copy of the port that measures the methods in `names`, all of which return promises. */
export function instrumentPort<T extends object, Name extends keyof T & string>(
  metrics: CallMetrics,
  port: string,
  target: T,
  names: readonly Name[],
  { failures, isRejection }: OutcomeRules<T> = {},
): T {
  const replaced = { ...target };
  for (const name of names) {
    const method = target[name];
    if (typeof method !== 'function') continue;
    const replacement = (...args: unknown[]) =>
      timed(
        () => withSpan(`${port} ${name}`, 'client', {}, () => method.apply(target, args)),
        (outcome, seconds) => metrics?.call(port, name, outcome, seconds),
        failures?.[name],
        isRejection,
      );
    replaced[name] = replacement as T[Name];
  }
  return replaced;
}

/** Ports with their own outcome rules. */
export const portInstrumenters = {
  /**
   * A rejected session or refund counts as failed; a rejected lookup or recurring-payment call counts as ok. `readEvent` is
   * not measured: any client can post events, and the noise would hide failures.
   */
  payments(metrics: CallMetrics, payments: PaymentProvider): PaymentProvider {
    const paying = instrumentPort(
      metrics,
      'payments',
      payments,
      ['createSession', 'expireSession', 'refund'],
      { failures: { refund: ({ status }) => status === 'failed' } },
    );
    return instrumentPort(
      metrics,
      'payments',
      paying,
      [
        'findSession',
        'listSessions',
        'findRefund',
        'findPayment',
        'listRecurringEvents',
        'setCancelAtPeriodEnd',
        'cancelRecurring',
      ],
      { isRejection: (error) => error instanceof PaymentRejectedError },
    );
  },
  identity: (metrics: CallMetrics, identity: IdentityProvider): IdentityProvider =>
    instrumentPort(metrics, 'identity', identity, ['authorizationUrl', 'finish', 'revoke'], {
      isRejection: (error) => error instanceof IdentityRejectedError,
    }),
  /** Only a 2xx response counts as ok. */
  webhooks: (metrics: CallMetrics, webhooks: WebhookSender): WebhookSender =>
    instrumentPort(metrics, 'webhooks', webhooks, ['post'], {
      failures: { post: ({ status }) => status < 200 || status > 299 },
    }),
};

export const instrumentJob = <Services>(
  metrics: Metrics | undefined,
  job: JobDefinition<Services>,
): JobDefinition<Services> => ({
  ...job,
  run: (services, data) =>
    timed(
      () =>
        continueTrace(traceOf(data), () =>
          withSpan(`job ${job.name}`, 'consumer', {}, () => job.run(services, data)),
        ),
      (outcome, seconds) => metrics?.job(job.name, outcome, seconds),
    ),
});

/** `traceparent` in the job payload, present if tracing was on when the job was queued; the schemas of jobs ignore it. */
const traceOf = (data: unknown): string | undefined => {
  const { traceparent } = Object(data) as { traceparent?: unknown };
  return typeof traceparent === 'string' ? traceparent : undefined;
};
