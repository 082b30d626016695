/** What entries can be asked for: locales, filters and order. */
import { z } from 'zod';
import {
  dateRangeFields,
  optionalInput,
  pageFields,
  textSchema,
  withDetailCode,
} from '../../../lib/validation/input.ts';
import { isLocale } from '../../blocks/validate-value.ts';
import { contentStatuses } from '../../collections/model.ts';
import { namedValuesSchema } from '../../shared/named-value-filter.ts';

/** `_DESC`: the other way round. Without one of them the newest come first. */
export const entrySorts = ['NEWEST', 'OLDEST', 'UPDATED', 'UPDATED_DESC', 'BLOCK', 'BLOCK_DESC'] as const;

/** Longer values are not looked up. */
const maxValue = 200;

const localeList = optionalInput(
  z
    .array(
      textSchema(35).refine(
        isLocale,
        withDetailCode('INVALID_LOCALE', 'Must be a locale such as en or de-AT.'),
      ),
    )
    .max(20, 'Must have at most 20 items.'),
);

export const findEntrySchema = z.object({ businessId: z.string(), id: z.string(), locale: localeList });

const filter = z.object({
  blocks: optionalInput(namedValuesSchema(200, maxValue)),
  relatedTo: optionalInput(textSchema(200)),
  locales: optionalInput(z.array(textSchema(35)).max(50)),
  ...dateRangeFields,
});

const required = withDetailCode('REQUIRED', 'This field is required where entries are sorted by a block.');

const asked = z.object({
  businessId: z.string(),
  ...pageFields,
  ids: optionalInput(z.array(z.string()).max(100)),
  collectionId: optionalInput(textSchema(300)),
  owner: optionalInput(textSchema(300)),
  locale: optionalInput(textSchema(35)),
  status: optionalInput(z.enum(contentStatuses)),
  inLocales: localeList,
  filter: optionalInput(filter),
  sort: optionalInput(z.enum(entrySorts)),
  sortBlock: optionalInput(textSchema(200)),
});

const byBlock = ({ sort }: Partial<z.output<typeof asked>>) => sort === 'BLOCK' || sort === 'BLOCK_DESC';

export const listEntriesSchema = asked
  .refine((sent) => !byBlock(sent) || sent.sortBlock !== undefined, { ...required, path: ['sortBlock'] })
  .refine((sent) => !byBlock(sent) || sent.collectionId || sent.owner?.startsWith('collection:'), {
    ...required,
    path: ['collectionId'],
  })
  .refine((sent) => byBlock(sent) || sent.sortBlock === undefined, {
    ...withDetailCode('INVALID_VALUE', 'Is only for the orders BLOCK and BLOCK_DESC.'),
    path: ['sortBlock'],
  });

export type ListEntriesArgs = z.output<typeof listEntriesSchema>;
export type EntryFilterConditions = Partial<NonNullable<ListEntriesArgs['filter']>>;
