/** Draft of an entry and its table. Stored apart from the entry row, which guests and caches read. */
import { defineTable } from '../../../db/index.ts';
import type { EntryDraftModel } from '../../../generated/prisma/models.ts';
import type { ValueBlock } from '../../blocks/validate-blocks.ts';

export interface EntryDraftRow {
  /** Id of the entry. */
  id: string;
  locale: string;
  /** Undefined once the draft is published or discarded. The row stays, so that the next draft continues its version numbers. */
  blocks?: readonly ValueBlock[] | undefined;
  /** Version of the entry from which the draft was started. */
  basedOn: number;
  version: number;
  updatedAt: number;
}

export interface EntryDraft extends EntryDraftRow {
  blocks: readonly ValueBlock[];
}

/** Draft with its business id, which relationship blocks need to resolve their targets. */
export interface EntryDraftInBusiness extends EntryDraft {
  businessId: string;
}

export const entryDraftTable = defineTable<EntryDraftRow, EntryDraftModel>('entry_drafts', 'd', {
  id: 'fixed',
  // Filled by a trigger where businesses can move to another server.
  businessId: 'apart',
  locale: 'column',
  blocks: 'json',
  basedOn: 'column',
  version: 'column',
  updatedAt: 'column',
});

export const isOpenDraft = (stored: EntryDraftRow | undefined): stored is EntryDraft =>
  stored?.blocks !== undefined;
