/** Throws away uploads that never came: their forms have long expired, and what was written of them is nobody's. */
import type { Services } from '../../../context.ts';
import { now } from '../../../lib/time.ts';
import { defineJob, noJobData } from '../../../ports/jobs.ts';
import { removeMediaFileJob } from '../remove-stored-files.ts';

/** Far longer than a form is good for and a file may take. */
const graceSeconds = 86_400;
const batch = 100;

type Sweeper = Pick<Services, 'db' | 'jobs'>;

export async function deleteUnfinishedUploads(services: Sweeper): Promise<void> {
  const unfinished = { state: 'UPLOADING', createdAt: { lt: now() - graceSeconds } } as const;
  for (;;) {
    const found = await services.db.prisma.mediaFile.findMany({
      where: unfinished,
      orderBy: { createdAt: 'asc' },
      take: batch,
      select: { id: true, businessId: true },
    });
    for (const file of found) await throwAway(services, file);
    if (found.length < batch) return;
  }
}

/** The state decides: a file that came after all stays. */
const throwAway = ({ db, jobs }: Sweeper, { id, businessId }: { id: string; businessId: string }) =>
  db.transaction(async (tx) => {
    const { count } = await tx.prisma.mediaFile.deleteMany({ where: { id, state: 'UPLOADING' } });
    if (count > 0) await jobs.enqueue(tx, removeMediaFileJob, { businessId, id });
  });

export const deleteUnfinishedUploadsJob = defineJob('media-unfinished', noJobData, deleteUnfinishedUploads, {
  cron: '53 * * * *',
  retries: 0,
  timeout: 900,
});
