/** Entry record, its database table, and its owner reference. */
import { defineTable } from '../../db/index.ts';
import type { EntryModel } from '../../generated/prisma/models.ts';
import type { ValueBlock } from '../blocks/validate-blocks.ts';
import type { ContentStatus } from '../collections/model.ts';
import type { StatusHistoryEntry } from '../shared/media-and-status-history-types.ts';

export interface Entry {
  readonly id: string;
  readonly businessId: string;
  /** `collection:<id>`, `order:<id>` or `reservation:<id>`. */
  readonly owner: string;
  readonly locale: string;
  readonly blocks: readonly ValueBlock[];
  readonly statuses: readonly StatusHistoryEntry<ContentStatus>[];
  /** Unix seconds at which the publish job sets the status PUBLISHED. */
  readonly publishAt?: number | undefined;
  /** Unix seconds at which the publish job sets the status DRAFT. */
  readonly unpublishAt?: number | undefined;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const entryTable = defineTable<Entry, EntryModel>('entries', 'e', {
  id: 'fixed',
  businessId: 'fixed',
  owner: 'column',
  collectionId: 'computed',
  locale: 'column',
  blocks: 'json',
  slugs: 'computed',
  statuses: 'json',
  status: 'computed',
  publishAt: 'column',
  unpublishAt: 'column',
  version: 'column',
  createdAt: 'fixed',
  updatedAt: 'column',
});

export const entryOwnerKinds = ['collection', 'order', 'reservation'] as const;
export type EntryOwnerKind = (typeof entryOwnerKinds)[number];

export interface EntryOwner {
  kind: EntryOwnerKind;
  id: string;
}

export function parseEntryOwner(text: string): EntryOwner | undefined {
  const match = /^(collection|order|reservation):(.{1,200})$/s.exec(text);
  return match ? { kind: match[1] as EntryOwnerKind, id: match[2] as string } : undefined;
}

/** Id of the owning collection; undefined when an order or a reservation owns the entry. */
export function getOwnerCollectionId({ owner }: Pick<Entry, 'owner'>): string | undefined {
  const parsed = parseEntryOwner(owner);
  return parsed?.kind === 'collection' ? parsed.id : undefined;
}
