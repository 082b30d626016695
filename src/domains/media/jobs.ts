/** Jobs of media. Read by scripts/gather.ts. */
import { deleteUnusedMediaJob } from './delete-unused-media.ts';
import { generateImageResolutionsJob } from './generate-image-resolutions.ts';
import { removeBusinessFilesJob, removeMediaFileJob } from './remove-stored-files.ts';
import { deleteUnfinishedUploadsJob } from './uploads/delete-unfinished-uploads.ts';

export const jobs = [
  generateImageResolutionsJob,
  removeMediaFileJob,
  removeBusinessFilesJob,
  deleteUnfinishedUploadsJob,
  deleteUnusedMediaJob,
];
