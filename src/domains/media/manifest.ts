/** Manifest of media: jobs. Read by scripts/gather.ts. */
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
