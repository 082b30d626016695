/** What payments are about: each domain that sells something says what their events and refunds do to it. */
import type { Services } from '../../context.ts';
import type { Queries } from '../../db/handles.ts';
import type { PaymentEvent, ProviderRefund } from '../../ports/payments.ts';
import type { PaymentSubjectKind, Refund } from './model.ts';

export interface PaymentSubject {
  /** Applies an event to what `id` names, and to the attempt it is about. Returns a word for the record. */
  applyEvent(services: Services, tx: Queries, event: PaymentEvent, id: string): Promise<string>;
  /** Applies what the provider says about a refund. */
  applyRefundAnswer(
    services: Services,
    tx: Queries,
    refund: Refund,
    answer: ProviderRefund,
    id: string,
  ): Promise<void>;
}

const subjects = new Map<string, PaymentSubject>();

/** Called once per kind, when a domain is loaded. */
export function registerPaymentSubject(kind: PaymentSubjectKind, subject: PaymentSubject): void {
  subjects.set(kind, subject);
}

export const findPaymentSubject = (kind: string): PaymentSubject | undefined => subjects.get(kind);
