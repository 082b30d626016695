/** An entry as callers see it, how it is read from its row, and who owns it. */
import type { ValueBlock } from '../blocks/schema.ts';
import type { ContentStatus } from '../collections/model.ts';
import type { StatusEntry } from '../shared/model.ts';

export interface Entry {
  id: string;
  businessId: string;
  /** `collection:<id>`, `order:<id>` or `reservation:<id>`. */
  owner: string;
  locale: string;
  blocks: ValueBlock[];
  statuses: StatusEntry<ContentStatus>[];
  version: number;
  createdAt: number;
  updatedAt: number;
}

export interface EntryRow {
  id: string;
  business_id: string;
  owner: string;
  locale: string;
  blocks: ValueBlock[];
  statuses: StatusEntry<ContentStatus>[];
  version: number;
  created_at: number;
  updated_at: number;
}

export const entryColumns =
  'e.id, e.business_id, e.owner, e.locale, e.blocks, e.statuses, e.version, e.created_at, e.updated_at';

export const toEntry = (row: EntryRow): Entry => ({
  id: row.id,
  businessId: row.business_id,
  owner: row.owner,
  locale: row.locale,
  blocks: row.blocks,
  statuses: row.statuses,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export type OwnerKind = 'collection' | 'order' | 'reservation';

export interface Owner {
  kind: OwnerKind;
  id: string;
}

export function parseOwner(text: string): Owner | undefined {
  const match = /^(collection|order|reservation):(.{1,200})$/s.exec(text);
  return match ? { kind: match[1] as OwnerKind, id: match[2] as string } : undefined;
}

/** The collection an entry belongs to, if one owns it. */
export function collectionIdOf({ owner }: Pick<Entry, 'owner'>): string | undefined {
  const parsed = parseOwner(owner);
  return parsed?.kind === 'collection' ? parsed.id : undefined;
}
