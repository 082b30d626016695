/** How many operations of a business wait or run at a time, and how many forms are open for their files. */

import type { Queries } from '../../../db/handles.ts';
import { takeAdvisoryLock } from '../../../db/transaction.ts';
import { AppError } from '../../../errors.ts';
import { now } from '../../../lib/time.ts';
import { bulkUploadSeconds } from '../files/signed-links.ts';
import { activeBulkStates } from '../model.ts';

const mostActive = 10;
const mostForms = 20;

export async function assertFreeBulkSlot({ prisma }: Queries, businessId: string): Promise<void> {
  const active = await prisma.bulkOperation.count({
    where: { businessId, state: { in: [...activeBulkStates] } },
  });
  if (active < mostActive) return;
  const message = `At most ${mostActive} imports and exports can wait or run at a time.`;
  throw new AppError('RATE_LIMITED', message, { headers: { 'Retry-After': '30' } });
}

/** In the transaction that adds one: of those who come at the same time, each counts the ones before. */
export async function claimBulkSlot(tx: Queries, businessId: string): Promise<void> {
  await takeAdvisoryLock(tx, `bulk:${businessId}`);
  await assertFreeBulkSlot(tx, businessId);
}

/** The same for a form, whose file may come later or never. */
export async function claimUploadSlot(tx: Queries, businessId: string): Promise<void> {
  await claimBulkSlot(tx, businessId);
  const open = await tx.prisma.bulkOperation.count({
    where: { businessId, state: 'UPLOADING', updatedAt: { gt: now() - bulkUploadSeconds } },
  });
  if (open < mostForms) return;
  const message = `At most ${mostForms} imports can wait for their file at a time.`;
  throw new AppError('RATE_LIMITED', message, { headers: { 'Retry-After': '300' } });
}
