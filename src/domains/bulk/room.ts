/** How many operations of a business wait or run at a time, and how many forms are open for their files. */
import { lockNamed } from '../../db/named-lock.ts';
import type { Queries } from '../../db/sql.ts';
import { AppError } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import { uploadSeconds } from './links.ts';
import { activeStates } from './model.ts';

const mostActive = 10;
const mostForms = 20;

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

/** The same for a form, whose file may come later or never. */
export async function claimForm(tx: Queries, businessId: string): Promise<void> {
  await claimRoom(tx, businessId);
  const open = await tx.prisma.bulkOperation.count({
    where: { businessId, state: 'UPLOADING', updatedAt: { gt: now() - uploadSeconds } },
  });
  if (open < mostForms) return;
  const message = `At most ${mostForms} imports can wait for their file at a time.`;
  throw new AppError('RATE_LIMITED', message, { headers: { 'Retry-After': '300' } });
}
