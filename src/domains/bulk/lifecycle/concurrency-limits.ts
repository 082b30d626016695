/** Limits per business: queued and running operations, and open upload forms. */
import { type QueryHandle, takeAdvisoryLock } from '../../../db/index.ts';
import { AppError } from '../../../errors.ts';
import { now } from '../../../lib/time.ts';
import { bulkUploadValiditySeconds } from '../files/signed-links.ts';
import { activeBulkStates } from '../model.ts';

const maxActive = 10;
const maxOpenForms = 20;

export async function assertFreeBulkSlot({ prisma }: QueryHandle, businessId: string): Promise<void> {
  const active = await prisma.bulkOperation.count({
    where: { businessId, state: { in: [...activeBulkStates] } },
  });
  if (active < maxActive) return;
  const message = `The business has ${maxActive} queued or running imports and exports, the maximum. Try again later.`;
  throw new AppError('RATE_LIMITED', message, { headers: { 'Retry-After': '30' } });
}

/** Call it in the transaction that adds an operation: the lock makes concurrent requests count each other. */
export async function lockAndAssertFreeBulkSlot(tx: QueryHandle, businessId: string): Promise<void> {
  await takeAdvisoryLock(tx, `bulk:${businessId}`);
  await assertFreeBulkSlot(tx, businessId);
}

/** Like `lockAndAssertFreeBulkSlot`, and also limits open upload forms. */
export async function lockAndAssertFreeBulkUploadSlot(tx: QueryHandle, businessId: string): Promise<void> {
  await lockAndAssertFreeBulkSlot(tx, businessId);
  const open = await tx.prisma.bulkOperation.count({
    where: { businessId, state: 'UPLOADING', updatedAt: { gt: now() - bulkUploadValiditySeconds } },
  });
  if (open < maxOpenForms) return;
  const message = `The business has ${maxOpenForms} imports that wait for their file, the maximum. Upload them or try again later.`;
  throw new AppError('RATE_LIMITED', message, { headers: { 'Retry-After': '300' } });
}
