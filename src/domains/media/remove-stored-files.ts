/** Jobs that remove files from the media store after their row was deleted, including files of failed upload attempts. */
import { z } from 'zod';
import type { Services } from '../../context.ts';
import { defineJob } from '../../ports/jobs.ts';

export const removeMediaFileJob = defineJob(
  'media-remove',
  z.object({ businessId: z.string(), id: z.string() }),
  ({ media }: Pick<Services, 'media'>, { businessId, id }) => media.removeAll(`${businessId}/${id}`),
  { retries: 20, concurrency: 2 },
);

/** Removes all stored files of a deleted business, including those of imports and exports. */
export const removeBusinessFilesJob = defineJob(
  'media-remove-all',
  z.object({ businessId: z.string() }),
  ({ media }: Pick<Services, 'media'>, { businessId }) => media.removeAll(businessId),
  { retries: 20, concurrency: 1, timeout: 3000 },
);
