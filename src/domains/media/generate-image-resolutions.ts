/** Job that generates the resolutions of an image. Idempotent: it may be killed and retried. */
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Services } from '../../context.ts';
import { now } from '../../lib/time.ts';
import { defineJob } from '../../ports/jobs.ts';
import { buildMediaResolutionFileName, resolutionMimeType } from './model.ts';

export const generateImageResolutionsJob = defineJob(
  'media-process',
  z.object({ id: z.string() }),
  async (services: Services, { id }) => {
    const file = await services.db.prisma.mediaFile.findFirst({ where: { id, state: 'PROCESSING' } });
    if (!file?.key) return;
    const body = await services.media.get(`${file.key}/original`);
    if (!body) throw new Error(`The original of media file ${id} is not in the media store.`);
    const image = Buffer.concat(await body.toArray());
    const resolutions = await services.images.resize(image, file.widths);
    for (const [index, resized] of resolutions?.entries() ?? []) {
      const width = file.widths[index] ?? 0;
      const metadata = { size: resized.length, type: resolutionMimeType };
      await services.media.put(
        `${file.key}/${buildMediaResolutionFileName(width)}`,
        Readable.from([resized]),
        metadata,
      );
    }
    await services.db.prisma.mediaFile.updateMany({
      where: { id, state: 'PROCESSING' },
      data: { state: resolutions ? 'READY' : 'FAILED', updatedAt: now() },
    });
  },
  { retries: 8, concurrency: 1, timeout: 180 },
);
