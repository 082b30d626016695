/** Wraps the ports of an app (payments, webhooks, mail), so that a step can make their calls fail, lose the response or run twice. */
import type { SandboxPaymentProvider } from '../../src/adapters/payments/sandbox.ts';
import type { Services } from '../../src/context.ts';
import type { MailMessage, MailSender } from '../../src/ports/mail.ts';
import type { WebhookSender } from '../../src/ports/webhooks.ts';

/** `down`: fails without an effect. `lost`: takes effect, but the call fails. `doubled`: takes effect twice. */
export const failureModes = ['down', 'lost', 'doubled'] as const;
export type FailureMode = (typeof failureModes)[number];

/** `hangs`: calls get no response before `answerHangingCalls`. */
export type PortFailure = FailureMode | 'hangs';

export interface FailingPorts {
  failure: PortFailure | undefined;
  /** Lets the calls that hang take effect, or fail without one, and waits for their end. */
  answerHangingCalls(takeEffect: boolean): Promise<void>;
  sandbox: SandboxPaymentProvider;
  /** Number of sends per Message-ID; `troubled` mails were sent during a failure and may be sent twice. */
  mailCounts: Map<string, { sent: number; troubled: boolean }>;
}

const paymentMethods = [
  'createSession',
  'expireSession',
  'findSession',
  'listSessions',
  'refund',
  'findRefund',
  'listRecurringEvents',
  'setCancelAtPeriodEnd',
  'cancelRecurring',
] as const;

/** Replaces the ports of an app by wrappers that follow `failure`. */
export function installFailingPorts(services: Services): FailingPorts {
  const sandbox = services.payments as SandboxPaymentProvider;
  let hangingCalls: ((takeEffect: boolean) => Promise<unknown>)[] = [];
  const ports: FailingPorts = {
    failure: undefined,
    async answerHangingCalls(takeEffect) {
      const calls = hangingCalls;
      hangingCalls = [];
      for (const answer of calls) await answer(takeEffect);
    },
    sandbox,
    mailCounts: new Map(),
  };
  const withFailure = <Args extends unknown[], T>(operation: (...args: Args) => Promise<T>) =>
    async function callWithFailure(...args: Args): Promise<T> {
      const { failure } = ports;
      if (failure === 'down') throw new Error('connect ECONNREFUSED');
      if (failure === 'hangs')
        return new Promise((resolve, reject) =>
          hangingCalls.push(async (takeEffect) => {
            if (takeEffect) await operation(...args).then(resolve, reject);
            else reject(new Error('the response did not arrive in time'));
          }),
        );
      const result = await operation(...args);
      if (failure === 'lost') throw new Error('the response did not arrive in time');
      return failure === 'doubled' ? operation(...args) : result;
    };
  const payments: Record<string, unknown> = { ...sandbox };
  // An order and its session are stored by one statement, unless the port fails.
  Object.defineProperty(payments, 'storedSessions', {
    get: () => (ports.failure === undefined ? sandbox.storedSessions : undefined),
  });
  for (const name of paymentMethods)
    payments[name] = withFailure(sandbox[name] as (...args: unknown[]) => Promise<unknown>);
  const webhooks: WebhookSender = {
    post: withFailure(async () => ({
      status: ports.failure === undefined ? 200 : 500,
      retryAfter: undefined,
      excerpt: '',
    })),
  };
  const { send } = services.mail;
  const mail: MailSender = {
    ...services.mail,
    send: withFailure(async (message: MailMessage) => {
      const id = message.messageId ?? '';
      const existing = ports.mailCounts.get(id);
      ports.mailCounts.set(id, {
        sent: (existing?.sent ?? 0) + 1,
        troubled: existing?.troubled || ports.failure !== undefined,
      });
      await send(message);
    }),
  };
  Object.assign(services, { payments, webhooks, mail });
  return ports;
}
