/** Image adapter on sharp, which is imported with the first image. */
import type { Sharp, SharpOptions } from 'sharp';
import type { ImageProcessor } from '../../ports/images.ts';

/** Images above 50 million pixels, and images with any decoding warning, are rejected. */
const options: SharpOptions = { limitInputPixels: 50_000_000, failOn: 'warning' };
const quality = 80;
/** Width in pixels of the copy of an image without resolutions; making it detects images that cannot be decoded. */
const trialWidth = 64;
/** Time limit of a resize. An image that takes longer is probably an attack. */
const timeoutSeconds = 20;

let loading: Promise<(input: string | Buffer) => Sharp> | undefined;

async function load(): Promise<(input: string | Buffer) => Sharp> {
  const { default: sharp } = await import('sharp');
  // One thread and no cache, so that image work does not compete with requests.
  sharp.concurrency(1);
  sharp.cache(false);
  return (input) => sharp(input, options);
}

const open = async (input: string | Buffer): Promise<Sharp> => {
  loading ??= load();
  return (await loading)(input);
};

export const sharpImageProcessor: ImageProcessor = {
  async measure(path) {
    const image = await open(path);
    const metadata = await image.metadata().catch(() => undefined);
    if (!metadata?.width || !metadata.height) return undefined;
    const { width, height } = metadata.autoOrient;
    // sharp reports AVIF as heif with av1 compression.
    const format = metadata.format === 'heif' && metadata.compression === 'av1' ? 'avif' : metadata.format;
    return { format, width, height, isAnimated: (metadata.pages ?? 1) > 1 };
  },
  async resize(image, widths) {
    try {
      const decoder = await open(image);
      // Decoding takes most of the time: all widths are made from one lossless copy in the largest width.
      const largest = await decoder
        .autoOrient()
        .resize({ width: Math.max(trialWidth, ...widths), withoutEnlargement: true })
        .png({ compressionLevel: 0 })
        .timeout({ seconds: timeoutSeconds })
        .toBuffer();
      const resized: Buffer[] = [];
      for (const width of widths)
        resized.push(
          await (await open(largest))
            .resize({ width, withoutEnlargement: true })
            .webp({ quality })
            .timeout({ seconds: timeoutSeconds })
            .toBuffer(),
        );
      return resized;
    } catch {
      return undefined;
    }
  },
};
