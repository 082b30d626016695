/** Ports that fail, forget to answer and say things twice, when a step says so. */
import type { SandboxPayments } from '../../src/adapters/payments/sandbox.ts';
import type { Services } from '../../src/context.ts';
import type { Mail, MailMessage } from '../../src/ports/mail.ts';
import type { WebhookSender } from '../../src/ports/webhooks.ts';

/** `down`: nothing is done. `lost`: it is done, and the answer never arrives. `doubled`: it is done twice. */
export const failureModes = ['down', 'lost', 'doubled'] as const;
export type FailureMode = (typeof failureModes)[number];

export interface FailingPorts {
  failure: FailureMode | undefined;
  sandbox: SandboxPayments;
  /** How often each mail went out; those that met with trouble may well go twice. */
  mailCounts: Map<string, { sent: number; troubled: boolean }>;
}

const asked = [
  'createSession',
  'expireSession',
  'findSession',
  'refund',
  'findRefund',
  'askRecurring',
  'setCancelAtPeriodEnd',
  'endRecurring',
] as const;

/** Replaces the ports of an app by ones in which trouble can be made. */
export function installFailingPorts(services: Services): FailingPorts {
  const sandbox = services.payments as SandboxPayments;
  const ports: FailingPorts = { failure: undefined, sandbox, mailCounts: new Map() };
  const troubled = <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
    async function disturbed(...args: Args): Promise<T> {
      const { failure: trouble } = ports;
      if (trouble === 'down') throw new Error('connect ECONNREFUSED');
      const result = await work(...args);
      if (trouble === 'lost') throw new Error('the answer did not arrive in time');
      return trouble === 'doubled' ? work(...args) : result;
    };
  const payments: Record<string, unknown> = { ...sandbox };
  for (const name of asked)
    payments[name] = troubled(sandbox[name] as (...args: unknown[]) => Promise<unknown>);
  const webhooks: WebhookSender = {
    post: troubled(async () => ({
      status: ports.failure === undefined ? 200 : 500,
      retryAfter: undefined,
      excerpt: '',
    })),
  };
  const { send } = services.mail;
  const mail: Mail = {
    ...services.mail,
    send: troubled(async (message: MailMessage) => {
      const id = message.messageId ?? '';
      const before = ports.mailCounts.get(id);
      ports.mailCounts.set(id, {
        sent: (before?.sent ?? 0) + 1,
        troubled: before?.troubled || ports.failure !== undefined,
      });
      await send(message);
    }),
  };
  Object.assign(services, { payments, webhooks, mail });
  return ports;
}
