/** Registry of payment subjects: orders and subscriptions register how payment events and refunds change them. */
import type { Services } from '../../context.ts';
import type { Queries } from '../../db/index.ts';
import type { PaymentEvent, ProviderRefund } from '../../ports/payments.ts';
import type { PaymentSubjectKind, Refund } from './model.ts';

export interface PaymentSubject {
  /** Applies an event to the record `id` and to its payment attempt. Returns the outcome that is stored with the event. */
  applyEvent(services: Services, tx: Queries, event: PaymentEvent, id: string): Promise<string>;
  /** Applies the answer of the provider to a refund. */
  applyProviderRefund(
    services: Services,
    tx: Queries,
    refund: Refund,
    providerRefund: ProviderRefund,
    id: string,
  ): Promise<void>;
}

const subjects = new Map<string, PaymentSubject>();

/** Called once per kind, when the module of a domain is loaded. */
export function registerPaymentSubject(kind: PaymentSubjectKind, subject: PaymentSubject): void {
  subjects.set(kind, subject);
}

export const findPaymentSubject = (kind: string): PaymentSubject | undefined => subjects.get(kind);
