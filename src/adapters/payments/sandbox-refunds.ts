/** Refunds of the sandbox: they succeed at once, and fail later when somebody says so. */
import type { Queries } from '../../db/handles.ts';
import {
  PaymentRejectedError,
  type PaymentSessionRequest,
  type Payments,
  type ProviderRefund,
} from '../../ports/payments.ts';

/** Amount by key; those that failed under `failed:<key>`, what the bank took back under `dispute`. */
export type SandboxRefunds = Record<string, number>;

/** The same key gives the same refund, and nothing beyond what was paid goes back. */
export async function refundSandboxPayment(
  tx: Queries,
  { paymentId, amount, key }: Parameters<Payments['refund']>[0],
): Promise<ProviderRefund> {
  const id = paymentId.replace(/^pay_/, '');
  const [row] = await tx.sql<{ request: PaymentSessionRequest; refunds: SandboxRefunds }>(
    `select request, refunds from sandbox_payments where id = $1 and state = 'PAID' for update`,
    [id],
  );
  if (!row) throw new PaymentRejectedError('There is no such payment.');
  if (row.refunds[`failed:${key}`] !== undefined) return failedSandboxRefund(key);
  if (row.refunds[key] !== undefined) return { id: `re_${key}`, status: 'succeeded' };
  if (sandboxRefundedAmount(row.refunds) + amount > row.request.amount)
    throw new PaymentRejectedError('That is more than was paid.');
  await tx.sql('update sandbox_payments set refunds = $2::jsonb where id = $1', [
    id,
    JSON.stringify({ ...row.refunds, [key]: amount }),
  ]);
  return { id: `re_${key}`, status: 'succeeded' };
}

export const failedSandboxRefund = (key: string) =>
  ({ id: `re_${key}`, status: 'failed', reason: 'The bank did not take the money.' }) as const;

export const sandboxRefundedAmount = (refunds: SandboxRefunds): number =>
  Object.entries(refunds).reduce((sum, [key, amount]) => (key.startsWith('failed:') ? sum : sum + amount), 0);

/** SQL: the refunds of a payment once the bank has taken back all that is left of it. */
export const sandboxChargebackSql = `refunds || jsonb_build_object('dispute', (request->>'amount')::bigint - (select
  coalesce(sum(back.value::bigint), 0) from jsonb_each_text(refunds) back where back.key not like 'failed:%'))`;
