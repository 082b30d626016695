/** States, actions and events of a sandbox payment session. */
import type {
  ListedPaymentSession,
  PaymentEvent,
  PaymentSessionRequest,
  PaymentSessionState,
} from '../../ports/payments.ts';
import {
  refundsAfterSandboxChargebackSql,
  type SandboxRefunds,
  sumSandboxRefunds,
} from './sandbox-refunds.ts';
import { buildSandboxPaymentIdOfSession } from './sandbox-subscriptions.ts';

type SandboxPaymentState = 'OPEN' | 'PROCESSING' | 'PAID' | 'FAILED' | 'EXPIRED';

/** Simulated actions of the customer and the bank on a payment session. */
export const sandboxPaymentActions = [
  'pay',
  'decline',
  'transfer',
  'settle',
  'fail',
  'dispute',
  'lose',
] as const;
export type SandboxPaymentAction = (typeof sandboxPaymentActions)[number];

export interface SandboxPaymentSession {
  id: string;
  request: PaymentSessionRequest;
  state: SandboxPaymentState;
  declines: number;
  refunds: SandboxRefunds;
}

export function toSandboxSessionState({
  id,
  state,
  request: { amount, currency },
}: SandboxPaymentSession): PaymentSessionState {
  const payment = { paymentId: buildSandboxPaymentIdOfSession(id), amount, currency };
  return state === 'PAID' ? { state: 'paid', ...payment } : { state: foundStates[state] };
}

const foundStates = {
  OPEN: 'open',
  PROCESSING: 'processing',
  FAILED: 'failed',
  EXPIRED: 'expired',
} as const satisfies Partial<Record<SandboxPaymentState, PaymentSessionState['state']>>;

export const listedStateBySandboxState = {
  OPEN: 'open',
  PROCESSING: 'complete',
  PAID: 'complete',
  FAILED: 'complete',
  EXPIRED: 'expired',
} as const satisfies Record<SandboxPaymentState, ListedPaymentSession['state']>;

/** SQL expression: state of a session at the time of the parameter `time`. */
export const buildCurrentSandboxStateExpressionSql = (time: string): string =>
  `case when state = 'OPEN' and expires_at <= ${time} then 'EXPIRED' else state::text end`;

export const sandboxPaymentTransitions: Readonly<
  Record<SandboxPaymentAction, { from: SandboxPaymentState; change: string; only?: string }>
> = {
  pay: { from: 'OPEN', change: `state = 'PAID'` },
  decline: { from: 'OPEN', change: 'declines = declines + 1' },
  transfer: { from: 'OPEN', change: `state = 'PROCESSING'` },
  settle: { from: 'PROCESSING', change: `state = 'PAID'` },
  fail: { from: 'PROCESSING', change: `state = 'FAILED'` },
  dispute: { from: 'PAID', change: 'declines = declines' },
  lose: {
    from: 'PAID',
    change: `refunds = ${refundsAfterSandboxChargebackSql}`,
    only: `not refunds ? 'dispute'`,
  },
};

const eventTypes = {
  pay: 'paid',
  decline: 'failed',
  transfer: 'processing',
  settle: 'paid',
  fail: 'failed',
  dispute: 'disputed',
  lose: 'refunded',
} as const satisfies Record<SandboxPaymentAction, PaymentEvent['type']>;

export function buildSandboxPaymentEvent(
  sessionId: string,
  action: SandboxPaymentAction,
  { request, declines, refunds }: Pick<SandboxPaymentSession, 'request' | 'declines' | 'refunds'>,
): PaymentEvent {
  const { reference, amount, currency } = request;
  const type = eventTypes[action];
  return {
    id: action === 'decline' ? `evt_${sessionId}_declined_${declines}` : `evt_${sessionId}_${type}`,
    type,
    reference,
    sessionId,
    paymentId:
      type === 'failed' || type === 'processing' ? undefined : buildSandboxPaymentIdOfSession(sessionId),
    amount: type === 'refunded' ? sumSandboxRefunds(refunds) : amount,
    currency,
    ...(action === 'fail' ? { isFinal: true } : {}),
  };
}
