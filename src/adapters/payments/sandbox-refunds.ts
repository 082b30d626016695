/** Refunds of the sandbox. They succeed immediately; a button of the payment page can make one fail later. */
import type { QueryHandle } from '../../db/handles.ts';
import {
  type PaymentProvider,
  PaymentRejectedError,
  type PaymentSessionRequest,
  type ProviderRefund,
} from '../../ports/payments.ts';

/** Refunded amounts by key; failed refunds under `failed:<key>`, a chargeback under `dispute`. */
export type SandboxRefunds = Record<string, number>;

/** Idempotent by key. Throws PaymentRejectedError when the total would exceed the paid amount. */
export async function refundSandboxPayment(
  tx: QueryHandle,
  { paymentId, amount, key }: Parameters<PaymentProvider['refund']>[0],
): Promise<ProviderRefund> {
  const id = paymentId.replace(/^pay_/, '');
  const [row] = await tx.sql<{ request: PaymentSessionRequest; refunds: SandboxRefunds }>(
    `select request, refunds from sandbox_payments where id = $1 and state = 'PAID' for update`,
    [id],
  );
  if (!row) throw new PaymentRejectedError('The payment does not exist or was not paid.');
  if (row.refunds[`failed:${key}`] !== undefined) return buildFailedSandboxRefund(key);
  if (row.refunds[key] !== undefined) return { id: `re_${key}`, status: 'succeeded' };
  if (sumSandboxRefunds(row.refunds) + amount > row.request.amount)
    throw new PaymentRejectedError('The refund exceeds the paid amount.');
  await tx.write('update sandbox_payments set refunds = $2::jsonb where id = $1', [
    id,
    JSON.stringify({ ...row.refunds, [key]: amount }),
  ]);
  return { id: `re_${key}`, status: 'succeeded' };
}

export const buildFailedSandboxRefund = (key: string) =>
  ({ id: `re_${key}`, status: 'failed', reason: 'The bank did not take the money.' }) as const;

export const sumSandboxRefunds = (refunds: SandboxRefunds): number =>
  Object.entries(refunds).reduce((sum, [key, amount]) => (key.startsWith('failed:') ? sum : sum + amount), 0);

/** SQL expression: the `refunds` of a payment after a chargeback of the amount that was not refunded yet. */
export const refundsAfterSandboxChargebackSql = `refunds || jsonb_build_object('dispute', (request->>'amount')::bigint - (select
  coalesce(sum(back.value::bigint), 0) from jsonb_each_text(refunds) back where back.key not like 'failed:%'))`;
