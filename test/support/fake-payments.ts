/** Payments that remember what they were asked for and never leave the process. */
import type { PaymentSessionRequest, Payments } from '../../src/ports/payments.ts';

export function createFakePayments() {
  const sessions = new Map<string, PaymentSessionRequest>();
  const expired: string[] = [];
  const state = { down: false };
  const payments: Payments = {
    provider: 'sandbox',
    async createSession(request) {
      if (state.down) throw new Error('connect ECONNREFUSED');
      const before = sessions.get(request.reference);
      // As providers do: the same key with other parameters is an error.
      if (before && JSON.stringify(before) !== JSON.stringify(request))
        throw new Error('idempotency mismatch');
      sessions.set(request.reference, request);
      return { id: `session-${request.reference}`, url: `https://pay.example/${request.reference}` };
    },
    async expireSession({ reference }) {
      expired.push(reference);
    },
    findSession: async () => undefined,
    refund: async () => ({ id: 'refund', status: 'succeeded' }),
    findRefund: async (id) => ({ id, status: 'succeeded' }),
    findPayment: async () => undefined,
    askRecurring: async () => [],
    setCancelAtPeriodEnd: async () => {},
    endRecurring: async () => {},
    readEvent: async () => undefined,
  };
  return { payments, sessions, expired, state };
}
