/** What entries can be asked for: locales, filters and order. */
import { z } from 'zod';
import { dateFields, optional, pageFields, rule, text } from '../../lib/input.ts';
import { isLocale } from '../blocks/values.ts';
import { contentStatuses } from '../collections/model.ts';
import { namedValuesCheck } from '../shared/named-values.ts';

/** `_DESC`: the other way round. Without one of them the newest come first. */
export const entrySorts = ['NEWEST', 'OLDEST', 'UPDATED', 'UPDATED_DESC', 'BLOCK', 'BLOCK_DESC'] as const;

/** Longer values are not looked up. */
const maxValue = 200;

const localeList = optional(
  z
    .array(text(35).refine(isLocale, rule('INVALID_LOCALE', 'Must be a locale such as en or de-AT.')))
    .max(20, 'Must have at most 20 items.'),
);

export const findEntryCheck = z.object({ businessId: z.string(), id: z.string(), locale: localeList });

const filter = z.object({
  blocks: optional(namedValuesCheck(200, maxValue)),
  relatedTo: optional(text(200)),
  locales: optional(z.array(text(35)).max(50)),
  ...dateFields,
});

const required = rule('REQUIRED', 'This field is required where entries are sorted by a block.');

const asked = z.object({
  businessId: z.string(),
  ...pageFields,
  ids: optional(z.array(z.string()).max(100)),
  collectionId: optional(text(300)),
  owner: optional(text(300)),
  locale: optional(text(35)),
  status: optional(z.enum(contentStatuses)),
  inLocales: localeList,
  filter: optional(filter),
  sort: optional(z.enum(entrySorts)),
  sortBlock: optional(text(200)),
});

const byBlock = ({ sort }: Partial<z.output<typeof asked>>) => sort === 'BLOCK' || sort === 'BLOCK_DESC';

export const entryFilterCheck = asked
  .refine((sent) => !byBlock(sent) || sent.sortBlock !== undefined, { ...required, path: ['sortBlock'] })
  .refine((sent) => !byBlock(sent) || sent.collectionId || sent.owner?.startsWith('collection:'), {
    ...required,
    path: ['collectionId'],
  })
  .refine((sent) => byBlock(sent) || sent.sortBlock === undefined, {
    ...rule('INVALID_VALUE', 'Is only for the orders BLOCK and BLOCK_DESC.'),
    path: ['sortBlock'],
  });

export type EntryFilter = z.output<typeof entryFilterCheck>;
export type EntryNarrowing = Partial<NonNullable<EntryFilter['filter']>>;
