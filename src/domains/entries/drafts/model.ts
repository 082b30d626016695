/** What staff prepare beside an entry, and its table. Nothing of it is in the row of the entry, which guests and caches read. */
import { defineTable } from '../../../db/records/table.ts';
import type { EntryDraftModel } from '../../../generated/prisma/models.ts';
import type { ValueBlock } from '../../blocks/validate-blocks.ts';

export interface EntryDraftRow {
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

export interface EntryDraft extends EntryDraftRow {
  blocks: ValueBlock[];
}

/** As callers see it, with the business in which its blocks find what they point at. */
export interface EntryDraftView extends EntryDraft {
  businessId: string;
}

export const entryDrafts = defineTable<EntryDraftRow, EntryDraftModel>('entry_drafts', 'd', {
  id: 'fixed',
  locale: 'column',
  blocks: 'json',
  basedOn: 'column',
  version: 'column',
  updatedAt: 'column',
});

export const isOpenDraft = (stored: EntryDraftRow | undefined): stored is EntryDraft =>
  stored?.blocks !== undefined;
