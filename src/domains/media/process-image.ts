/** Makes the smaller images, outside of any request: whoever decodes them takes its time, and may be killed and begin again. */
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Services } from '../../context.ts';
import { now } from '../../lib/time.ts';
import { defineJob } from '../../ports/jobs.ts';
import { resolutionFileName, resolutionMimeType } from './model.ts';

/** Decoding it all at least once shows whether it is sound. */
const smallest = 64;

export const processImageJob = defineJob(
  'media-process',
  z.object({ id: z.string() }),
  async (services: Services, { id }) => {
    const file = await services.db.prisma.mediaFile.findFirst({ where: { id, state: 'PROCESSING' } });
    if (!file?.key) return;
    const body = await services.media.get(`${file.key}/original`);
    if (!body) throw new Error(`The file of ${id} is not in the store.`);
    const image = Buffer.concat(await body.toArray());
    let isSound = (await services.images.resize(image, smallest)) !== undefined;
    for (const width of isSound ? file.widths : []) {
      const smaller = await services.images.resize(image, width);
      if (!smaller) {
        isSound = false;
        break;
      }
      const about = { size: smaller.length, type: resolutionMimeType };
      await services.media.put(`${file.key}/${resolutionFileName(width)}`, Readable.from([smaller]), about);
    }
    await services.db.prisma.mediaFile.updateMany({
      where: { id, state: 'PROCESSING' },
      data: { state: isSound ? 'READY' : 'FAILED', updatedAt: now() },
    });
  },
  { retries: 8, concurrency: 1, timeout: 180 },
);
