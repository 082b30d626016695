/** Validation schemas for reading entries: locales, filters and sort order. */
import { z } from 'zod';
import {
  buildTextSchema,
  dateRangeFilterSchemas,
  detailCodeRefineOptions,
  optionalInput,
  pageArgSchemas,
} from '../../../lib/validation/input.ts';
import { isLocale } from '../../blocks/validate-value.ts';
import { contentStatuses } from '../../collections/model.ts';
import { buildNamedValuesSchema } from '../../shared/named-value-filter.ts';

/** Sort orders of entries; `_DESC` is descending. Default: NEWEST. */
export const entrySorts = ['NEWEST', 'OLDEST', 'UPDATED', 'UPDATED_DESC', 'BLOCK', 'BLOCK_DESC'] as const;

/** Maximum length of a filter value, in characters: longer values are not indexed. */
const maxValueLength = 200;

const localeList = optionalInput(
  z
    .array(
      buildTextSchema(35).refine(
        isLocale,
        detailCodeRefineOptions('INVALID_LOCALE', 'Must be a locale such as en or de-AT.'),
      ),
    )
    .max(20, 'Must have at most 20 items.'),
);

export const findEntryArgsSchema = z.object({ businessId: z.string(), id: z.string(), locale: localeList });

const filter = z.object({
  blocks: optionalInput(buildNamedValuesSchema(200, maxValueLength)),
  relatedTo: optionalInput(buildTextSchema(200)),
  locales: optionalInput(z.array(buildTextSchema(35)).max(50)),
  ...dateRangeFilterSchemas,
});

const requiredForBlockSort = detailCodeRefineOptions(
  'REQUIRED',
  'Required when sort is BLOCK or BLOCK_DESC.',
);

const listArgs = z.object({
  businessId: z.string(),
  ...pageArgSchemas,
  ids: optionalInput(z.array(z.string()).max(100)),
  collectionId: optionalInput(buildTextSchema(300)),
  owner: optionalInput(buildTextSchema(300)),
  locale: optionalInput(buildTextSchema(35)),
  status: optionalInput(z.enum(contentStatuses)),
  inLocales: localeList,
  filter: optionalInput(filter),
  sort: optionalInput(z.enum(entrySorts)),
  sortBlock: optionalInput(buildTextSchema(200)),
});

const sortsByBlock = ({ sort }: Partial<z.output<typeof listArgs>>) =>
  sort === 'BLOCK' || sort === 'BLOCK_DESC';

export const listEntriesSchema = listArgs
  .refine((args) => !sortsByBlock(args) || args.sortBlock !== undefined, {
    ...requiredForBlockSort,
    path: ['sortBlock'],
  })
  .refine((args) => !sortsByBlock(args) || args.collectionId || args.owner?.startsWith('collection:'), {
    ...requiredForBlockSort,
    path: ['collectionId'],
  })
  .refine((args) => sortsByBlock(args) || args.sortBlock === undefined, {
    ...detailCodeRefineOptions('INVALID_VALUE', 'Allowed only when sort is BLOCK or BLOCK_DESC.'),
    path: ['sortBlock'],
  });

export type ListEntriesArgs = z.output<typeof listEntriesSchema>;
export type EntryFilterFields = Partial<NonNullable<ListEntriesArgs['filter']>>;
