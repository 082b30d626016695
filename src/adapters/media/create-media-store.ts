/** Creates the configured media store: an S3 bucket, otherwise a local folder. The S3 client is imported only when used. */
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
  const { createS3MediaStore } = await import('./s3.ts');
  return createS3MediaStore(s3);
}
