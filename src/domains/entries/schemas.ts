/** Validation schemas for entry arguments. Block values are validated against the schema of the collection, see blocks/validate-blocks.ts. */
import { z } from 'zod';
import { now } from '../../lib/time.ts';
import {
  buildRequiredTextSchema,
  buildTextSchema,
  detailCodeRefineOptions,
  optionalInput,
  pageArgSchemas,
  refineMutuallyExclusive,
} from '../../lib/validation/input.ts';
import { blocksWithoutValueCheckSchema } from '../blocks/schemas.ts';
import { isLocale } from '../blocks/validate-value.ts';
import { contentStatuses } from '../collections/model.ts';
import { buildStatusHistorySchema } from '../shared/status-and-locale-schemas.ts';

const locale = buildRequiredTextSchema(35).refine(
  isLocale,
  detailCodeRefineOptions('INVALID_LOCALE', 'Must be a locale such as en or de-AT.'),
);

const ownedBy = z.object({
  collection: optionalInput(buildTextSchema(300)),
  order: optionalInput(buildTextSchema(300)),
  reservation: optionalInput(buildTextSchema(300)),
});

const input = z
  .object({
    collectionId: optionalInput(buildTextSchema(300)),
    ownedBy: optionalInput(ownedBy),
    owner: optionalInput(buildTextSchema(300)),
    locale: optionalInput(locale),
    blocks: optionalInput(blocksWithoutValueCheckSchema),
    statuses: optionalInput(buildStatusHistorySchema(contentStatuses)),
    status: optionalInput(z.enum(contentStatuses)),
  })
  .superRefine(refineMutuallyExclusive('ownedBy', 'collectionId', 'owner'), { when: () => true });

export const createEntrySchema = z.object({ businessId: z.string(), input });

export const updateEntrySchema = z.object({
  businessId: z.string(),
  id: z.string(),
  input,
  version: optionalInput(z.number().int()),
});

const fiveYearsInSeconds = 5 * 366 * 86_400;
const timestamp = z
  .number()
  .int()
  .min(0, 'Must not be negative.')
  .refine(
    (at) => at < now() + fiveYearsInSeconds,
    detailCodeRefineOptions('TOO_BIG', 'Must be within the next five years.'),
  );

export const scheduleEntrySchema = z
  .object({
    businessId: z.string(),
    id: z.string(),
    publishAt: optionalInput(timestamp),
    unpublishAt: optionalInput(timestamp),
    version: optionalInput(z.number().int()),
  })
  .refine(({ publishAt, unpublishAt }) => publishAt === undefined || publishAt !== unpublishAt, {
    ...detailCodeRefineOptions('INVALID_RANGE', 'Must differ from publishAt.'),
    path: ['unpublishAt'],
  });

const versionNumber = z.number().int().min(1, 'Must be at least 1.').max(2_147_483_647);
const address = { businessId: z.string(), id: z.string() };

export const listEntryVersionsSchema = z.object({ ...address, ...pageArgSchemas });
export const compareEntryVersionsSchema = z.object({
  ...address,
  from: versionNumber,
  to: optionalInput(versionNumber),
});
export const restoreEntryVersionSchema = z.object({
  ...address,
  from: versionNumber,
  version: optionalInput(z.number().int()),
});

const version = optionalInput(z.number().int());
export const saveEntryDraftSchema = z.object({
  ...address,
  version,
  input: z.object({ locale: optionalInput(locale), blocks: optionalInput(blocksWithoutValueCheckSchema) }),
});
export const publishEntryDraftSchema = z.object({ ...address, version, draftVersion: version });
export const discardEntryDraftSchema = z.object({ ...address, version });
export const createEntryPreviewSchema = z.object({
  ...address,
  expiresIn: optionalInput(
    z.number().int().min(60, 'Must be at least a minute.').max(604_800, 'Must be at most a week.'),
  ),
});

export const duplicateEntrySchema = z.object(address);
export const setEntryStatusesSchema = z.object({
  businessId: z.string(),
  ids: z.array(buildTextSchema(300)).min(1, 'Must not be empty.').max(100, 'Must have at most 100 items.'),
  status: z.enum(contentStatuses),
});

export type SaveEntryDraftArgs = z.output<typeof saveEntryDraftSchema>;
export type PublishEntryDraftArgs = z.output<typeof publishEntryDraftSchema>;
export type DiscardEntryDraftArgs = z.output<typeof discardEntryDraftSchema>;
export type CreateEntryPreviewArgs = z.output<typeof createEntryPreviewSchema>;
export type SetEntryStatusesArgs = z.output<typeof setEntryStatusesSchema>;
export type ListEntryVersionsArgs = z.output<typeof listEntryVersionsSchema>;
export type CompareEntryVersionsArgs = z.output<typeof compareEntryVersionsSchema>;
export type RestoreEntryVersionArgs = z.output<typeof restoreEntryVersionSchema>;
export type ScheduleEntryArgs = z.output<typeof scheduleEntrySchema>;
export type CreateEntryArgs = z.output<typeof createEntrySchema>;
export type UpdateEntryArgs = z.output<typeof updateEntrySchema>;
