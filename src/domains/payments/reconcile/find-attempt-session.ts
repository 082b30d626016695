/** Finds the payment session of an attempt at the provider: by its id, or by its reference when the id was not stored. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import {
  computeSessionCreationPeriod,
  type ListedPaymentSession,
  type PaymentSessionState,
} from '../../../ports/payments.ts';
import type { PaymentAttempt } from '../model.ts';

interface FoundSession extends PaymentSessionState {
  id: string;
  /** Only for a session that was found by its reference. */
  url?: string | undefined;
}

/** A session that the customer has completed comes first: an attempt that was repeated an hour later may have two. */
const preference: readonly ListedPaymentSession['state'][] = ['complete', 'open', 'expired'];

/** Undefined if the provider has no session of the attempt. Throws when the provider does not answer. */
export async function findAttemptSession(
  { payments }: Pick<Services, 'payments'>,
  { reference, sessionId, createdAt }: PaymentAttempt,
): Promise<FoundSession | undefined> {
  const listed = sessionId === undefined ? await findListedSession() : { id: sessionId };
  if (!listed) return undefined;
  const session = await payments.findSession(listed.id);
  return session && { ...session, ...listed, state: session.state };

  async function findListedSession(): Promise<Pick<ListedPaymentSession, 'id' | 'url'> | undefined> {
    const sessions = await payments.listSessions(computeSessionCreationPeriod(createdAt));
    const matching = sessions.filter((session) => session.reference === reference);
    const best = preference.flatMap((state) => matching.filter((session) => session.state === state))[0];
    return best && { id: best.id, url: best.url };
  }
}

/** Stores a session that was found by its reference, so that it is reconciled by its id from now on. */
export async function storeFoundSession(
  db: Pick<QueryHandle, 'write'>,
  { id }: PaymentAttempt,
  session: FoundSession,
): Promise<void> {
  await db.write(
    `update payment_attempts set session_id = $2, url = coalesce(url, $3),
       state = case when state = 'NEW' then 'OPEN' else state end where id = $1 and session_id is null`,
    [id, session.id, session.url ?? null],
  );
}
