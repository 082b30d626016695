/** Images by sharp, which is loaded with the first of them: most processes see none. */
import type { Sharp, SharpOptions } from 'sharp';
import type { Images } from '../../ports/images.ts';

/** 50 million pixels: more is a flood, or a print. Any fault in the data counts. */
const options: SharpOptions = { limitInputPixels: 50_000_000, failOn: 'warning' };
const quality = 80;
/** A picture that takes longer to decode was made for that. */
const seconds = 20;

let loading: Promise<(input: string | Buffer) => Sharp> | undefined;

async function load(): Promise<(input: string | Buffer) => Sharp> {
  const { default: sharp } = await import('sharp');
  // One thread and nothing remembered: requests come first.
  sharp.concurrency(1);
  sharp.cache(false);
  return (input) => sharp(input, options);
}

const open = async (input: string | Buffer): Promise<Sharp> => {
  loading ??= load();
  return (await loading)(input);
};

export const sharpImages: Images = {
  async measure(path) {
    const image = await open(path);
    const found = await image.metadata().catch(() => undefined);
    if (!found?.width || !found.height) return undefined;
    const { width, height } = found.autoOrient;
    // Both are files of this kind to sharp.
    const format = found.format === 'heif' && found.compression === 'av1' ? 'avif' : found.format;
    return { format, width, height, isAnimated: (found.pages ?? 1) > 1 };
  },
  async resize(image, width) {
    const opened = await open(image);
    return opened
      .autoOrient()
      .resize({ width, withoutEnlargement: true })
      .webp({ quality })
      .timeout({ seconds })
      .toBuffer()
      .catch(() => undefined);
  },
};
