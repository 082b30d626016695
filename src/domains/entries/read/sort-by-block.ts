/** Entries of a collection by the value of a block: which it can be, and the index that is walked. */
import type { Context } from '../../../context.ts';
import { type PageSource, pageSourceByAge } from '../../../db/pages/page-query.ts';
import { validationError } from '../../../errors.ts';
import type { Block, BlockType } from '../../blocks/model.ts';
import { isRichText } from '../../blocks/validate-value.ts';
import { findCollection } from '../../collections/read/find-collection.ts';
import { parseEntryOwner } from '../model.ts';
import type { ListEntriesArgs } from './filter-schemas.ts';

/** Of these `entry_sort_keys` has what they are sorted by. */
const sortable: ReadonlySet<BlockType> = new Set(['TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'SELECT']);

/** The collection that is listed, and the block; undefined where the viewer sees no such collection, whose blocks are nobody's business. */
export async function findSortBlock(ctx: Context, asked: ListEntriesArgs) {
  const owner = asked.owner === undefined ? undefined : parseEntryOwner(asked.owner);
  const id =
    asked.collectionId?.replace(/^collection:/, '') ?? (owner?.kind === 'collection' ? owner.id : '');
  const collection = await findCollection(ctx, { businessId: asked.businessId, id });
  if (!collection) return undefined;
  const block = collection.blocks.find((one) => one.id === asked.sortBlock);
  if (!block)
    throw validationError({
      field: 'sortBlock',
      error: 'UNKNOWN_BLOCK',
      message: 'The collection has no such block.',
    });
  if (!isSortable(block))
    throw validationError({
      field: 'sortBlock',
      error: 'BLOCK_NOT_SORTABLE',
      message: `Must be a block of type ${[...sortable].join(', ')}, and not of rich text.`,
    });
  return { collectionId: collection.id, block };
}

const isSortable = (block: Block) => sortable.has(block.type) && !isRichText(block);

/** `params` are added to: all others are there already. */
export function orderEntriesByBlock(
  { collectionId, block }: { collectionId: string; block: Block },
  descending: boolean,
  params: unknown[],
) {
  const place = params.push(collectionId);
  const collection = `$${place}::uuid`;
  const ofBlock = `k.collection_id = ${collection} and k.block = $${place + 1} and k.kind = $${place + 2}`;
  const valuedSource: PageSource = {
    from: 'entry_sort_keys k',
    join: 'join entries e on e.business_id = $1 and e.id = k.entry_id',
    id: 'k.entry_id',
    key: 'k.key',
    column: 'key',
    type: 'text',
    conditions: [ofBlock],
    ownerConditions: [ofBlock],
    params: [],
    descending,
  };
  return {
    valuedSource,
    agedSource: pageSourceByAge('entries e', 'collection_id', descending, collection),
    group: collectionId,
    valueParams: [block.id, block.type],
    lacksValue: `not exists (select 1 from entry_sort_keys k where k.entry_id = e.id and ${ofBlock})`,
  };
}
