/** The uploaded photo of the demo shop. Its resized variants are included, so that the first start processes no image. */
import { Readable } from 'node:stream';
import type { QueryHandle } from '../db/handles.ts';
import { resolveMediaUrls } from '../domains/media/model.ts';
import type { MediaItem } from '../domains/shared/media-and-status-history-types.ts';
import type { MediaStore } from '../ports/media.ts';
import { demoCupPhoto } from './cup-photo.ts';
import { buildSeedId, demoShopIdsAndLogins } from './shop-data.ts';

const { files, ...photo } = demoCupPhoto;
const id = buildSeedId(0x10, 1);
const key = `${demoShopIdsAndLogins.businessId}/${id}/cup`;
const bytesOf = (name: keyof typeof files) => Buffer.from(files[name], 'base64');

/** Stores the files in the media store. Idempotent. */
export async function storeDemoPhotoFiles(media: MediaStore): Promise<void> {
  const names = Object.keys(files) as (keyof typeof files)[];
  await Promise.all(
    names.map((name) => {
      const bytes = bytesOf(name);
      return media.put(`${key}/${name}`, Readable.from([bytes]), {
        size: bytes.length,
        type: photo.mimeType,
      });
    }),
  );
}

export async function seedDemoPhotoRecord({ prisma }: QueryHandle, opened: number): Promise<void> {
  const { businessId } = demoShopIdsAndLogins;
  const size = bytesOf('original').length;
  const stamps = { createdAt: opened, updatedAt: opened };
  await prisma.mediaFile.createMany({
    data: [{ id, businessId, key, state: 'READY', size, ...photo, ...stamps }],
  });
}

/** Media item of the photo, as a product references it. */
export const createDemoPhotoMedia = (publicUrl: string, itemId: string): MediaItem => ({
  id: itemId,
  mediaId: id,
  mimeType: photo.mimeType,
  alt: photo.alt,
  ...resolveMediaUrls({ publicUrl }, { id, ...photo }),
});

/** Slug of the product in the photo. */
export const photographedProductSlug = 'stoneware-cup';
