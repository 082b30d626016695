/** Registry of payment subjects: orders and subscriptions register how payment events and refunds change them. */
import type { Services } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';
import type { ErrorDetail } from '../../errors.ts';
import type { PaymentEvent, ProviderRefund } from '../../ports/payments.ts';
import type { PaymentSubjectKind, Refund } from './model.ts';

interface PaymentSubjectHandler {
  /** Applies an event to the record `id` and to its payment attempt. Returns the outcome that is stored with the event. */
  applyEvent(services: Services, tx: QueryHandle, event: PaymentEvent, id: string): Promise<string>;
  /** Applies the answer of the provider to a refund. */
  applyProviderRefund(
    services: Services,
    tx: QueryHandle,
    refund: Refund,
    providerRefund: ProviderRefund,
    id: string,
  ): Promise<void>;
  /** Locks the record `id`, and returns the error that prevents a retry of its refund, if any. */
  findRetryError(tx: QueryHandle, refundId: string, id: string): Promise<ErrorDetail | undefined>;
}

const subjects = new Map<string, PaymentSubjectHandler>();

/** Called once per kind, when the module of a domain is loaded. */
export function registerPaymentSubjectHandler(
  kind: PaymentSubjectKind,
  subject: PaymentSubjectHandler,
): void {
  subjects.set(kind, subject);
}

export const findPaymentSubjectHandler = (kind: string): PaymentSubjectHandler | undefined =>
  subjects.get(kind);
