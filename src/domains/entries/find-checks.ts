/** What a list of entries can be asked for: filters and order. */
import { z } from 'zod';
import { dateFields, optional, pageFields, text } from '../../lib/input.ts';
import { contentStatuses } from '../collections/model.ts';
import { namedValuesCheck } from '../shared/named-values.ts';

/** `_DESC`: the other way round. Without one of them the newest come first. */
export const entrySorts = ['NEWEST', 'OLDEST', 'UPDATED', 'UPDATED_DESC'] as const;

/** Longer values are not looked up. */
const maxValue = 200;

const filter = z.object({
  blocks: optional(namedValuesCheck(200, maxValue)),
  relatedTo: optional(text(200)),
  locales: optional(z.array(text(35)).max(50)),
  ...dateFields,
});

export const entryFilterCheck = z.object({
  businessId: z.string(),
  ...pageFields,
  ids: optional(z.array(z.string()).max(100)),
  collectionId: optional(text(300)),
  owner: optional(text(300)),
  locale: optional(text(35)),
  status: optional(z.enum(contentStatuses)),
  filter: optional(filter),
  sort: optional(z.enum(entrySorts)),
});

export type EntryFilter = z.output<typeof entryFilterCheck>;
export type EntryNarrowing = Partial<NonNullable<EntryFilter['filter']>>;
