/** What payments are about: each domain that sells something says what their events and refunds do to it. */
import type { Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import type { PaymentEvent, RefundAnswer } from '../../ports/payments.ts';
import type { Kind, Refund } from './model.ts';

export interface PaymentSubject {
  /** Applies an event to what `id` names, and to the attempt it is about. Returns a word for the record. */
  apply(services: Services, tx: Queries, event: PaymentEvent, id: string): Promise<string>;
  /** Applies what the provider says about a refund. */
  refundAnswered(
    services: Services,
    tx: Queries,
    refund: Refund,
    answer: RefundAnswer,
    id: string,
  ): Promise<void>;
}

const subjects = new Map<string, PaymentSubject>();

/** Called once per kind, when a domain is loaded. */
export function sellsBy(kind: Kind, subject: PaymentSubject): void {
  subjects.set(kind, subject);
}

export const subjectOf = (kind: string): PaymentSubject | undefined => subjects.get(kind);
