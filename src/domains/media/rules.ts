/** What files are taken, what they are called, and in which widths images are made. Pure. */
import type { Permission } from '../../auth/permissions.ts';
import { slugify } from '../../lib/text/slug.ts';

/** Any of them lets somebody upload and change files. */
export const mediaEditPermissions: readonly Permission[] = ['PRODUCTS_WRITE', 'CONTENT_WRITE'];

/** Kinds of files by their media type, with the ending of their names. */
export const fileExtensions = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
  'application/pdf': 'pdf',
  'video/mp4': 'mp4',
} as const;

export type SupportedMimeType = keyof typeof fileExtensions;
export const supportedMimeTypes = Object.keys(fileExtensions) as [SupportedMimeType, ...SupportedMimeType[]];

/** Images that are measured and made smaller; drawings are sharp in any size. */
export const isRasterImage = (kind: string): boolean => kind.startsWith('image/') && kind !== 'image/svg+xml';

/** As many first bytes as tell what a file is. */
export const signatureBytes = 512;

const startsWith = (head: Buffer, text: string, at = 0) =>
  head.toString('latin1', at, at + text.length) === text;

/** What a file is by its own first bytes, whatever it is called. */
export function detectMimeType(head: Buffer): SupportedMimeType | undefined {
  if (startsWith(head, '\xff\xd8\xff')) return 'image/jpeg';
  if (startsWith(head, '\x89PNG\r\n\x1a\n')) return 'image/png';
  if (startsWith(head, 'GIF87a') || startsWith(head, 'GIF89a')) return 'image/gif';
  if (startsWith(head, 'RIFF') && startsWith(head, 'WEBP', 8)) return 'image/webp';
  if (startsWith(head, '%PDF-')) return 'application/pdf';
  if (startsWith(head, 'ftyp', 4)) return isoKindOf(head.toString('latin1', 8, 12));
  return /^\ufeff?\s*<(\?xml|svg|!--)[\s>]/.test(head.toString('utf8')) ? 'image/svg+xml' : undefined;
}

/** Films and AVIF share a container; its brand tells them apart. */
function isoKindOf(brand: string): SupportedMimeType | undefined {
  if (brand === 'avif' || brand === 'avis') return 'image/avif';
  return /^(isom|iso[2-9]|mp4[12]|avc1|M4V |dash)$/.test(brand) ? 'video/mp4' : undefined;
}

/** The last part of a path, in letters that need no encoding, with the ending of its kind. */
export function toSafeFileName(fileName: string, kind: SupportedMimeType): string {
  const last = fileName.split(/[\\/]/).at(-1) ?? '';
  const plain = slugify(last.replace(/\.[^.]*$/, '')).replace(/[^a-z0-9-]+/g, '');
  return `${plain.replace(/^-+|-+$/g, '') || 'file'}.${fileExtensions[kind]}`;
}

const usualWidths = [320, 640, 1280, 1920];

/** Narrower than the image: nothing is blown up. */
export const resolutionWidthsBelow = (width: number): number[] => usualWidths.filter((one) => one < width);

export const scaledHeight = (image: { width: number; height: number }, width: number): number =>
  Math.max(1, Math.round((image.height * width) / image.width));
