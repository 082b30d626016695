/** Payment providers of tests: one in memory that records its calls, and another way to open sessions. */
import type { SandboxPaymentProvider } from '../../src/adapters/payments/sandbox.ts';
import type { PaymentProvider, PaymentSessionRequest } from '../../src/ports/payments.ts';

export function createFakePayments() {
  const sessions = new Map<string, PaymentSessionRequest>();
  const expired: string[] = [];
  const state = { down: false };
  const payments: PaymentProvider = {
    provider: 'sandbox',
    async createSession(request) {
      if (state.down) throw new Error('connect ECONNREFUSED');
      const existing = sessions.get(request.reference);
      // Like a real provider: the same idempotency key with other parameters is an error.
      if (existing && JSON.stringify(existing) !== JSON.stringify(request))
        throw new Error('idempotency mismatch');
      sessions.set(request.reference, request);
      return { id: `session-${request.reference}`, url: `https://pay.example/${request.reference}` };
    },
    async expireSession({ reference }) {
      expired.push(reference);
    },
    findSession: async () => undefined,
    listSessions: async () => [],
    refund: async () => ({ id: 'refund', status: 'succeeded' }),
    findRefund: async (id) => ({ id, status: 'succeeded' }),
    findPayment: async () => undefined,
    listRecurringEvents: async () => [],
    setCancelAtPeriodEnd: async () => {},
    cancelRecurring: async () => {},
    readEvent: async () => undefined,
  };
  return { payments, sessions, expired, state };
}

/** Opens sessions by `createSession` only, as with an external provider. The returned function restores the provider. */
export function replaceCreateSession(
  payments: PaymentProvider,
  createSession: PaymentProvider['createSession'],
): () => void {
  const sandbox = payments as SandboxPaymentProvider;
  const original = { createSession: sandbox.createSession, storedSessions: sandbox.storedSessions };
  Object.assign(sandbox, { createSession, storedSessions: undefined });
  return () => void Object.assign(sandbox, original);
}
