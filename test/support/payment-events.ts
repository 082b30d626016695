/** Payment events, signed by the sandbox provider and delivered to the payment webhook. */
import type { SandboxPaymentProvider } from '../../src/adapters/payments/sandbox.ts';
import { newId } from '../../src/lib/ids.ts';
import type { PaymentEvent } from '../../src/ports/payments.ts';
import type { TestApp } from './app.ts';

export const createPaymentEvent = (orderId: string, more: Partial<PaymentEvent> = {}): PaymentEvent => ({
  id: `evt_${newId()}`,
  type: 'paid',
  reference: `order:${orderId}`,
  sessionId: undefined,
  paymentId: `pay_${orderId}`,
  amount: 0,
  currency: 'USD',
  ...more,
});

export const webhookPath = '/v1/payments/webhooks/sandbox';
export const signatureHeader = 'sandbox-signature';

export function signEventRequest(sandbox: SandboxPaymentProvider, event: PaymentEvent, at?: number) {
  const { body, header } = sandbox.sign(event, at);
  return { body: body.toString(), headers: { [signatureHeader]: header(signatureHeader) ?? '' } };
}

export async function deliverPaymentEvent(t: TestApp, event: PaymentEvent, at?: number): Promise<number> {
  const request = signEventRequest(t.app.services.payments as SandboxPaymentProvider, event, at);
  return (await t.rest('POST', webhookPath, request)).status;
}

/** Declines and then pays each payment page; returns the events of the sandbox. */
export async function declineThenPay(
  sandbox: SandboxPaymentProvider,
  pages: readonly { body: { checkoutUrl?: string } }[],
): Promise<PaymentEvent[]> {
  const events: PaymentEvent[] = [];
  for (const { body } of pages)
    for (const action of ['decline', 'pay'] as const) {
      const event = await sandbox.applyAction(body.checkoutUrl?.split('/').at(-1) ?? '', action);
      if (event) events.push(event);
    }
  return events;
}
