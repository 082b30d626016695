/** zod checks for the shapes that several domains share. */
import { z } from 'zod';
import { optional, requiredText } from '../../lib/input.ts';
import { changers } from './model.ts';

export { galleryCheck, mediaCheck, url } from './media.ts';

export const statusChangeCheck = <const Status extends readonly [string, ...string[]]>(statuses: Status) =>
  z.object({
    id: optional(requiredText(200)),
    status: z.enum(statuses),
    changedBy: optional(z.enum(changers)),
    userId: optional(requiredText(200)),
    timestamp: optional(z.number().int().min(0)),
  });

export const statusHistoryCheck = <const Status extends readonly [string, ...string[]]>(statuses: Status) =>
  z.array(statusChangeCheck(statuses)).max(100, 'Must have at most 100 entries.');
