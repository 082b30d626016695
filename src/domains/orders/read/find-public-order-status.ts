/** Order status for the unauthenticated page after payment. The order id is the only credential, so nothing else is exposed. */
import type { QueryHandle } from '../../../db/index.ts';
import { isId } from '../../../lib/ids.ts';
import type { OrderStatus, PaymentStatus } from '../status-transitions.ts';

export interface PublicOrderStatus {
  businessId: string;
  status: OrderStatus;
  payment: PaymentStatus;
  number: number;
}

export async function findPublicOrderStatus(
  queries: QueryHandle,
  id: string,
): Promise<PublicOrderStatus | undefined> {
  if (!isId(id)) return undefined;
  const [status] = await queries.sql<PublicOrderStatus>(
    'select business_id as "businessId", status, payment_status as payment, number from orders where id = $1',
    [id],
  );
  return status;
}
