/** What staff prepare beside an entry, and its table. Nothing of it is in the row of the entry, which guests and caches read. */
import { defineTable } from '../../db/table.ts';
import type { EntryDraftModel } from '../../generated/prisma/models.ts';
import type { ValueBlock } from '../blocks/schema.ts';

export interface StoredDraft {
  /** Id of the entry. */
  id: string;
  locale: string;
  /** Undefined once it was published or discarded: the next one counts its versions on. */
  blocks?: ValueBlock[] | undefined;
  /** The version of the entry that it began with. */
  basedOn: number;
  version: number;
  updatedAt: number;
}

export interface Draft extends StoredDraft {
  blocks: ValueBlock[];
}

/** As callers see it, with the business in which its blocks find what they point at. */
export interface DraftView extends Draft {
  businessId: string;
}

export const drafts = defineTable<StoredDraft, EntryDraftModel>('entry_drafts', 'd', {
  id: 'fixed',
  locale: 'column',
  blocks: 'json',
  basedOn: 'column',
  version: 'column',
  updatedAt: 'column',
});

export const isDraft = (stored: StoredDraft | undefined): stored is Draft => stored?.blocks !== undefined;
