/** What an entry sent by a caller must look like. Its values are checked against its collection, see blocks/schema.ts. */
import { z } from 'zod';
import { instead, optional, pageFields, requiredText, rule, text } from '../../lib/input.ts';
import { now } from '../../lib/time.ts';
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

const fiveYears = 5 * 366 * 86_400;
const moment = z
  .number()
  .int()
  .min(0, 'Must not be negative.')
  .refine((at) => at < now() + fiveYears, rule('TOO_BIG', 'Must be within the next five years.'));

export const scheduleEntryCheck = z
  .object({
    businessId: z.string(),
    id: z.string(),
    publishAt: optional(moment),
    unpublishAt: optional(moment),
    version: optional(z.number().int()),
  })
  .refine(({ publishAt, unpublishAt }) => publishAt === undefined || publishAt !== unpublishAt, {
    ...rule('INVALID_RANGE', 'Must be another moment than the one it is published at.'),
    path: ['unpublishAt'],
  });

const number = z.number().int().min(1, 'Must be at least 1.').max(2_147_483_647);
const address = { businessId: z.string(), id: z.string() };

export const versionListCheck = z.object({ ...address, ...pageFields });
export const compareVersionsCheck = z.object({ ...address, from: number, to: optional(number) });
export const restoreEntryCheck = z.object({ ...address, from: number, version: optional(z.number().int()) });

const version = optional(z.number().int());
export const saveDraftCheck = z.object({
  ...address,
  version,
  input: z.object({ locale: optional(locale), blocks: optional(blockShapesCheck) }),
});
export const publishDraftCheck = z.object({ ...address, version, draftVersion: version });
export const discardDraftCheck = z.object({ ...address, version });
export const createPreviewCheck = z.object({
  ...address,
  expiresIn: optional(
    z.number().int().min(60, 'Must be at least a minute.').max(604_800, 'Must be at most a week.'),
  ),
});

export const duplicateEntryCheck = z.object(address);
export const setStatusesCheck = z.object({
  businessId: z.string(),
  ids: z.array(text(300)).min(1, 'Must not be empty.').max(100, 'Must have at most 100 items.'),
  status: z.enum(contentStatuses),
});

export type SaveDraft = z.output<typeof saveDraftCheck>;
export type PublishDraft = z.output<typeof publishDraftCheck>;
export type DiscardDraft = z.output<typeof discardDraftCheck>;
export type CreatePreview = z.output<typeof createPreviewCheck>;
export type SetStatuses = z.output<typeof setStatusesCheck>;
export type VersionList = z.output<typeof versionListCheck>;
export type CompareVersions = z.output<typeof compareVersionsCheck>;
export type RestoreEntry = z.output<typeof restoreEntryCheck>;
export type ScheduleEntry = z.output<typeof scheduleEntryCheck>;
export type CreateEntry = z.output<typeof createEntryCheck>;
export type UpdateEntry = z.output<typeof updateEntryCheck>;
