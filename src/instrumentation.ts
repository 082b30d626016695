/** Ports and jobs that tell how often they were used, how it ended and how long it took. */
import { continueTrace, withSpan } from './lib/tracing.ts';
import { type IdentityProvider, IdentityRejectedError } from './ports/identity.ts';
import type { Job } from './ports/jobs.ts';
import type { CallOutcome, Metrics } from './ports/metrics.ts';
import { PaymentRejectedError, type Payments } from './ports/payments.ts';
import type { WebhookSender } from './ports/webhooks.ts';

type Tell = (outcome: CallOutcome, seconds: number) => void;
type Answer<Method> = Method extends (...args: never[]) => Promise<infer Given> ? Given : never;

/** How calls ended, where an answer is not always good and an error not always bad. */
interface Ends<T> {
  /** Answers by which a part says that it has not done what it was asked for. */
  readonly failures?: { readonly [Name in keyof T]?: (answer: Answer<T[Name]>) => boolean };
  /** Errors by which a part that works says no. */
  readonly isRefusal?: (error: unknown) => boolean;
}

async function timed<T>(
  work: () => T | Promise<T>,
  tell: Tell,
  hasFailed?: (result: T) => boolean,
  isRefusal?: (error: unknown) => boolean,
): Promise<T> {
  const started = performance.now();
  const end = (outcome: CallOutcome) => tell(outcome, (performance.now() - started) / 1000);
  try {
    const result = await work();
    end(hasFailed?.(result) ? 'failed' : 'ok');
    return result;
  } catch (error) {
    end(isRefusal?.(error) ? 'ok' : 'failed');
    throw error;
  }
}

/** The same port. Only its own methods named here are measured: all of them give promises. */
export function instrumentPort<T extends object, Name extends keyof T & string>(
  metrics: Metrics,
  port: string,
  target: T,
  names: readonly Name[],
  { failures, isRefusal }: Ends<T> = {},
): T {
  const replaced = { ...target };
  for (const name of names) {
    const method = target[name];
    if (typeof method !== 'function') continue;
    const replacement = (...args: unknown[]) =>
      timed(
        () => withSpan(`${port} ${name}`, 'client', {}, () => method.apply(target, args)),
        (outcome, seconds) => metrics.call(port, name, outcome, seconds),
        failures?.[name],
        isRefusal,
      );
    replaced[name] = replacement as T[Name];
  }
  return replaced;
}

/** Parts whose ends have a meaning of their own. */
export const instrument = {
  /**
   * A page or refund that is refused is a failure; a no to a question, or about what renews, is an answer. Events are
   * not counted: anybody can send some, and would hide failures among them.
   */
  payments(metrics: Metrics, payments: Payments): Payments {
    const paying = instrumentPort(
      metrics,
      'payments',
      payments,
      ['createSession', 'expireSession', 'refund'],
      {
        failures: { refund: ({ status }) => status === 'failed' },
      },
    );
    return instrumentPort(
      metrics,
      'payments',
      paying,
      ['findSession', 'findRefund', 'findPayment', 'askRecurring', 'setCancelAtPeriodEnd', 'endRecurring'],
      { isRefusal: (error) => error instanceof PaymentRejectedError },
    );
  },
  identity: (metrics: Metrics, identity: IdentityProvider): IdentityProvider =>
    instrumentPort(metrics, 'identity', identity, ['authorizationUrl', 'finish', 'revoke'], {
      isRefusal: (error) => error instanceof IdentityRejectedError,
    }),
  /** Receivers may answer anything: only 2xx says that they took it. */
  webhooks: (metrics: Metrics, webhooks: WebhookSender): WebhookSender =>
    instrumentPort(metrics, 'webhooks', webhooks, ['post'], {
      failures: { post: ({ status }) => status < 200 || status > 299 },
    }),
};

export const instrumentJob = <Services>(metrics: Metrics, job: Job<Services>): Job<Services> => ({
  ...job,
  run: (services, data) =>
    timed(
      () =>
        continueTrace(traceOf(data), () =>
          withSpan(`job ${job.name}`, 'consumer', {}, () => job.run(services, data)),
        ),
      (outcome, seconds) => metrics.job(job.name, outcome, seconds),
    ),
});

/** Queued with the job, if somebody collected spans then; jobs read what is theirs and pass over it. */
const traceOf = (data: unknown): string | undefined => {
  const { traceparent } = Object(data) as { traceparent?: unknown };
  return typeof traceparent === 'string' ? traceparent : undefined;
};
