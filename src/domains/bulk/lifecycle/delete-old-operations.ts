/** Throws away operations that have grown old, with their files; and uploads that were never made. */
import type { Services } from '../../../context.ts';
import { now } from '../../../lib/time.ts';
import { defineJob, noJobData } from '../../../ports/jobs.ts';
import { activeBulkStates } from '../model.ts';

const batch = 100;
/** Longer than a form is good for and a file may take. */
const formSeconds = 86_400;

export async function deleteOldBulkOperations({ db, media, config }: Services): Promise<void> {
  const time = now();
  const old = {
    OR: [
      { updatedAt: { lt: time - config.retention.bulk }, state: { notIn: [...activeBulkStates] } },
      { updatedAt: { lt: time - formSeconds }, state: 'UPLOADING' },
    ],
  };
  for (;;) {
    const found = await db.prisma.bulkOperation.findMany({
      where: old,
      take: batch,
      select: { id: true, businessId: true },
    });
    for (const { id, businessId } of found) {
      // The files first: what fails is found again.
      await media.removeAll(`${businessId}/${id}`);
      await db.prisma.bulkOperation.deleteMany({ where: { id, ...old } });
    }
    if (found.length < batch) return;
  }
}

export const deleteOldBulkOperationsJob = defineJob('bulk-cleanup', noJobData, deleteOldBulkOperations, {
  cron: '41 * * * *',
  retries: 0,
  timeout: 3000,
});
