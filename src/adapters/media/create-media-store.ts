/** Files in a bucket when one is configured, else in a folder. The client is loaded only by who uses it. */
import type { MediaStore, S3Options } from '../../ports/media.ts';
import { createDiskMediaStore } from './disk.ts';

export async function createMediaStore({
  dir,
  s3,
}: {
  dir: string;
  s3: S3Options | undefined;
}): Promise<MediaStore> {
  if (!s3) return createDiskMediaStore(dir);
  const { createS3MediaStore: createS3Media } = await import('./s3.ts');
  return createS3Media(s3);
}
