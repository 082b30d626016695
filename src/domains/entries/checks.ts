/** What an entry sent by a caller must look like. Its values are checked against its collection, see blocks/schema.ts. */
import { z } from 'zod';
import { instead, optional, requiredText, rule, text } from '../../lib/input.ts';
import { blockShapesCheck } from '../blocks/checks.ts';
import { isLocale } from '../blocks/values.ts';
import { contentStatuses } from '../collections/model.ts';
import { statusHistoryCheck } from '../shared/checks.ts';

const locale = requiredText(35).refine(
  isLocale,
  rule('INVALID_LOCALE', 'Must be a locale such as en or de-AT.'),
);

const ownedBy = z.object({
  collection: optional(text(300)),
  order: optional(text(300)),
  reservation: optional(text(300)),
});

const input = z
  .object({
    collectionId: optional(text(300)),
    ownedBy: optional(ownedBy),
    owner: optional(text(300)),
    locale: optional(locale),
    blocks: optional(blockShapesCheck),
    statuses: optional(statusHistoryCheck(contentStatuses)),
    status: optional(z.enum(contentStatuses)),
  })
  .superRefine(instead('ownedBy', 'collectionId', 'owner'), { when: () => true });

export const createEntryCheck = z.object({ businessId: z.string(), input });

export const updateEntryCheck = z.object({
  businessId: z.string(),
  id: z.string(),
  input,
  version: optional(z.number().int()),
});

export type CreateEntry = z.output<typeof createEntryCheck>;
export type UpdateEntry = z.output<typeof updateEntryCheck>;
