/** Retention job that deletes uploads that were never completed, with their partially stored files. */
import type { Services } from '../../../context.ts';
import { now } from '../../../lib/time.ts';
import { defineJob, noJobDataSchema } from '../../../ports/jobs.ts';
import { removeMediaFileJob } from '../remove-stored-files.ts';

/** Age after which an upload is abandoned: far longer than the lifetime of the form plus the transfer time. */
const graceSeconds = 86_400;
const batchSize = 100;

type RetentionServices = Pick<Services, 'db' | 'jobs'>;

export async function deleteUnfinishedUploads(services: RetentionServices): Promise<void> {
  const unfinished = { state: 'UPLOADING', createdAt: { lt: now() - graceSeconds } } as const;
  for (;;) {
    const uploads = await services.db.prisma.mediaFile.findMany({
      where: unfinished,
      orderBy: { createdAt: 'asc' },
      take: batchSize,
      select: { id: true, businessId: true },
    });
    for (const upload of uploads) await deleteUpload(services, upload);
    if (uploads.length < batchSize) return;
  }
}

/** The state in the condition protects an upload that is completed concurrently. */
const deleteUpload = (
  { db, jobs }: RetentionServices,
  { id, businessId }: { id: string; businessId: string },
) =>
  db.transaction(async (tx) => {
    const { count } = await tx.prisma.mediaFile.deleteMany({ where: { id, state: 'UPLOADING' } });
    if (count > 0) await jobs.enqueue(tx, removeMediaFileJob, { businessId, id });
  });

export const deleteUnfinishedUploadsJob = defineJob(
  'media-unfinished',
  noJobDataSchema,
  deleteUnfinishedUploads,
  { cron: '53 * * * *', retries: 0, timeout: 900 },
);
