/** Retention job: deletes old operations with their files, and imports whose file was never uploaded. */
import type { Services } from '../../../context.ts';
import { now } from '../../../lib/time.ts';
import { defineJob, noJobDataSchema } from '../../../ports/jobs.ts';
import { activeBulkStates } from '../model.ts';

const batchSize = 100;
/** Longer than the validity of a form (one hour) plus the time of an upload. */
const abandonedUploadSeconds = 86_400;

export async function deleteOldBulkOperations({ db, media, config }: Services): Promise<void> {
  const time = now();
  const isOld = {
    OR: [
      { updatedAt: { lt: time - config.retention.bulk }, state: { notIn: [...activeBulkStates] } },
      { updatedAt: { lt: time - abandonedUploadSeconds }, state: 'UPLOADING' },
    ],
  };
  for (;;) {
    const operations = await db.prisma.bulkOperation.findMany({
      where: isOld,
      take: batchSize,
      select: { id: true, businessId: true },
    });
    for (const { id, businessId } of operations) {
      // Files first: after a failure the row still exists and the next run retries.
      await media.removeAll(`${businessId}/${id}`);
      await db.prisma.bulkOperation.deleteMany({ where: { id, ...isOld } });
    }
    if (operations.length < batchSize) return;
  }
}

export const deleteOldBulkOperationsJob = defineJob(
  'bulk-cleanup',
  noJobDataSchema,
  deleteOldBulkOperations,
  { cron: '41 * * * *', retries: 0, timeout: 3000 },
);
