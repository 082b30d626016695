/** Supported media types, their detection, safe file names, and image resolutions. Pure. */
import type { Permission } from '../../auth/permissions-and-default-roles.ts';
import { slugify } from '../../lib/text/slug.ts';

/** Any of these permissions allows uploading and changing files. */
export const mediaEditPermissions: readonly Permission[] = ['PRODUCTS_WRITE', 'CONTENT_WRITE'];

/** File extension by supported media type. */
const extensionByMimeType = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
  'application/pdf': 'pdf',
  'video/mp4': 'mp4',
} as const;

type SupportedMimeType = keyof typeof extensionByMimeType;
export const supportedMimeTypes = Object.keys(extensionByMimeType) as [
  SupportedMimeType,
  ...SupportedMimeType[],
];

/** Raster images are measured and scaled down; SVG images are not, because they scale without loss. */
export const isRasterImage = (mimeType: string): boolean =>
  mimeType.startsWith('image/') && mimeType !== 'image/svg+xml';

/** Number of leading bytes that suffice to detect the media type. */
export const mimeTypeDetectionByteCount = 512;

const startsWith = (head: Buffer, text: string, offset = 0) =>
  head.toString('latin1', offset, offset + text.length) === text;

/** Detects the media type from the leading bytes, regardless of the file name. */
export function detectMimeType(head: Buffer): SupportedMimeType | undefined {
  if (startsWith(head, '\xff\xd8\xff')) return 'image/jpeg';
  if (startsWith(head, '\x89PNG\r\n\x1a\n')) return 'image/png';
  if (startsWith(head, 'GIF87a') || startsWith(head, 'GIF89a')) return 'image/gif';
  if (startsWith(head, 'RIFF') && startsWith(head, 'WEBP', 8)) return 'image/webp';
  if (startsWith(head, '%PDF-')) return 'application/pdf';
  if (startsWith(head, 'ftyp', 4)) return detectIsoMimeType(head.toString('latin1', 8, 12));
  return /^\ufeff?\s*<(\?xml|svg|!--)[\s>]/.test(head.toString('utf8')) ? 'image/svg+xml' : undefined;
}

/** MP4 and AVIF share the ISO base media container; its brand distinguishes them. */
function detectIsoMimeType(brand: string): SupportedMimeType | undefined {
  if (brand === 'avif' || brand === 'avis') return 'image/avif';
  return /^(isom|iso[2-9]|mp4[12]|avc1|M4V |dash)$/.test(brand) ? 'video/mp4' : undefined;
}

/** File name without path, reduced to characters that need no URL encoding, with the extension of its media type. */
export function toSafeFileName(fileName: string, mimeType: SupportedMimeType): string {
  const baseName = fileName.split(/[\\/]/).at(-1) ?? '';
  const stem = slugify(baseName.replace(/\.[^.]*$/, '')).replace(/[^a-z0-9-]+/g, '');
  return `${stem.replace(/^-+|-+$/g, '') || 'file'}.${extensionByMimeType[mimeType]}`;
}

const resolutionWidths = [320, 640, 1280, 1920];

/** Widths narrower than the image, in pixels: images are never scaled up. */
export const selectResolutionWidthsBelow = (width: number): number[] =>
  resolutionWidths.filter((candidate) => candidate < width);

export const computeScaledImageHeight = (image: { width: number; height: number }, width: number): number =>
  Math.max(1, Math.round((image.height * width) / image.width));
