/** Takes the files of media that are gone out of the store, also those of attempts that came to nothing. */
import { z } from 'zod';
import type { Services } from '../../context.ts';
import { defineJob } from '../../ports/jobs.ts';

export const removeMediaFileJob = defineJob(
  'media-remove',
  z.object({ businessId: z.string(), id: z.string() }),
  ({ media }: Pick<Services, 'media'>, { businessId, id }) => media.removeAll(`${businessId}/${id}`),
  { retries: 20, concurrency: 2 },
);

/** Everything that a business had in the store, when it is gone: also files of imports and exports. */
export const removeBusinessFilesJob = defineJob(
  'media-remove-all',
  z.object({ businessId: z.string() }),
  ({ media }: Pick<Services, 'media'>, { businessId }) => media.removeAll(businessId),
  { retries: 20, concurrency: 1, timeout: 3000 },
);
