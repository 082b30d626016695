/** Blocks of an order: a shipping address or custom fields, each with a value of its type. */
import type { z } from 'zod';
import { blocksCheck } from '../shared/checks.ts';
import type { BlockType } from '../shared/model.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isMedia = (value: unknown) => isObject(value) && isText(value.url) && isText(value.mimeType);
const isWithin = (value: unknown, limit: number) =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= limit;

const shapes: Readonly<Record<BlockType, { fits(value: unknown): boolean; wants: string }>> = {
  TEXT: {
    fits: (value) => isText(value) || (isObject(value) && Object.values(value).every(isText)),
    wants: 'a text, or texts by key',
  },
  NUMBER: { fits: (value) => typeof value === 'number' && Number.isFinite(value), wants: 'a number' },
  BOOLEAN: { fits: (value) => typeof value === 'boolean', wants: 'true or false' },
  DATE: { fits: (value) => Number.isSafeInteger(value), wants: 'an integer number of seconds' },
  RELATIONSHIP: { fits: isText, wants: 'an id' },
  GEO_LOCATION: {
    fits: (value) => isObject(value) && isWithin(value.latitude, 90) && isWithin(value.longitude, 180),
    wants: 'a latitude and a longitude',
  },
  MEDIA: {
    fits: (value) => (Array.isArray(value) ? value.every(isMedia) : isMedia(value)),
    wants: 'a media item or a list of them',
  },
  SELECT: { fits: isText, wants: 'a text' },
  MULTI_SELECT: { fits: (value) => Array.isArray(value) && value.every(isText), wants: 'a list of texts' },
};

export const orderBlocks = blocksCheck.superRefine((blocks, ctx: z.core.$RefinementCtx) => {
  for (const [index, { type, value }] of blocks.entries()) {
    if (value === undefined || value === null || shapes[type].fits(value)) continue;
    ctx.addIssue({
      code: 'custom',
      path: [index, 'value'],
      message: `Must be ${shapes[type].wants}.`,
      params: { error: 'INVALID_TYPE' },
    });
  }
});
