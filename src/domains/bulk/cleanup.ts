/** Throws away operations that have grown old, with their files; and uploads that were never made. */
import type { Services } from '../../context.ts';
import { now } from '../../lib/time.ts';
import { defineJob, noData } from '../../ports/jobs.ts';
import { activeStates } from './model.ts';

const batch = 100;

export const cleanupJob = defineJob(
  'bulk-cleanup',
  noData,
  async ({ db, media, config }: Services) => {
    const old = { updatedAt: { lt: now() - config.retention.bulk }, state: { notIn: [...activeStates] } };
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
  },
  { cron: '41 * * * *', retries: 0, timeout: 3000 },
);
