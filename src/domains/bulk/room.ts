/** How many operations of a business wait or run at a time. */
import { lockNamed } from '../../db/named-lock.ts';
import type { Queries } from '../../db/sql.ts';
import { AppError } from '../../errors.ts';
import { activeStates } from './model.ts';

const mostActive = 10;

export async function expectRoom({ prisma }: Queries, businessId: string): Promise<void> {
  const active = await prisma.bulkOperation.count({
    where: { businessId, state: { in: [...activeStates] } },
  });
  if (active < mostActive) return;
  const message = `At most ${mostActive} imports and exports can wait or run at a time.`;
  throw new AppError('RATE_LIMITED', message, { headers: { 'Retry-After': '30' } });
}

/** In the transaction that adds one: of those who come at the same time, each counts the ones before. */
export async function claimRoom(tx: Queries, businessId: string): Promise<void> {
  await lockNamed(tx, `bulk:${businessId}`);
  await expectRoom(tx, businessId);
}
