/** Ports and jobs that tell how often they were used, how it ended and how long it took. */
import { traced } from './lib/trace.ts';
import type { Job } from './ports/jobs.ts';
import type { Metrics, Outcome } from './ports/metrics.ts';
import type { Payments } from './ports/payments.ts';
import type { WebhookSender } from './ports/webhooks.ts';

type Tell = (outcome: Outcome, seconds: number) => void;
type Answer<Method> = Method extends (...args: never[]) => Promise<infer Given> ? Given : never;

/** Answers by which a part says that it has not done what it was asked for. */
type Failures<T> = { readonly [Name in keyof T]?: (answer: Answer<T[Name]>) => boolean };

async function timed<T>(
  work: () => T | Promise<T>,
  tell: Tell,
  hasFailed?: (result: T) => boolean,
): Promise<T> {
  const started = performance.now();
  const end = (outcome: Outcome) => tell(outcome, (performance.now() - started) / 1000);
  try {
    const result = await work();
    end(hasFailed?.(result) ? 'failed' : 'ok');
    return result;
  } catch (error) {
    end('failed');
    throw error;
  }
}

/** The same port. Only its own methods named here are measured: all of them give promises. */
export function measuredPort<T extends object, Name extends keyof T & string>(
  metrics: Metrics,
  port: string,
  target: T,
  names: readonly Name[],
  failures: Failures<T> = {},
): T {
  const measured = { ...target };
  for (const name of names) {
    const method = target[name];
    if (typeof method !== 'function') continue;
    const replacement = (...args: unknown[]) =>
      timed(
        () => traced(`${port} ${name}`, 'client', {}, () => method.apply(target, args)),
        (outcome, seconds) => metrics.call(port, name, outcome, seconds),
        failures[name],
      );
    measured[name] = replacement as T[Name];
  }
  return measured;
}

export const measuredPayments = (metrics: Metrics, payments: Payments): Payments =>
  measuredPort(metrics, 'payments', payments, ['createSession', 'expireSession', 'refund'], {
    refund: ({ status }) => status === 'failed',
  });

/** Receivers may answer anything: only 2xx says that they took it. */
export const measuredWebhooks = (metrics: Metrics, webhooks: WebhookSender): WebhookSender =>
  measuredPort(metrics, 'webhooks', webhooks, ['post'], {
    post: ({ status }) => status < 200 || status > 299,
  });

export const measuredJob = <Services>(metrics: Metrics, job: Job<Services>): Job<Services> => ({
  ...job,
  run: (services, data) =>
    timed(
      () => traced(`job ${job.name}`, 'consumer', {}, () => job.run(services, data)),
      (outcome, seconds) => metrics.job(job.name, outcome, seconds),
    ),
});
