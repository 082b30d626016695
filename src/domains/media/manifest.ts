/** Manifest of media: jobs, registrations with other domains. Read by scripts/gather.ts. */
import { registerStoredBytes } from '../shared/storage-and-record-quotas.ts';
import { deleteUnusedMediaJob } from './delete-unused-media.ts';
import { processImageJob } from './process-image.ts';
import { removeBusinessFilesJob, removeMediaFileJob } from './remove-stored-files.ts';
import { deleteUnfinishedUploadsJob } from './uploads/delete-unfinished-uploads.ts';

export const jobs = [
  processImageJob,
  removeMediaFileJob,
  removeBusinessFilesJob,
  deleteUnfinishedUploadsJob,
  deleteUnusedMediaJob,
];

// Files count with their declared size from the creation of the form, until they are deleted.
registerStoredBytes(async ({ prisma }, businessId) => {
  const { _sum: sum } = await prisma.mediaFile.aggregate({ where: { businessId }, _sum: { size: true } });
  return sum.size ?? 0;
});
