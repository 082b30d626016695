/** Sort order by a block value: validates the sort block and describes the index scan over `entry_sort_keys`. */
import type { Context } from '../../../context.ts';
import { buildPageSourceByAge, type PageSource } from '../../../db/index.ts';
import { validationError } from '../../../errors.ts';
import type { Block, BlockType } from '../../blocks/model.ts';
import { isRichTextBlock } from '../../blocks/validate-value.ts';
import { findCollection } from '../../collections/read/find-collection.ts';
import { parseEntryOwner } from '../model.ts';
import type { ListEntriesArgs } from './filter-schemas.ts';

/** Block types for which `entry_sort_keys` stores a sort key. */
const sortableTypes: ReadonlySet<BlockType> = new Set(['TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'SELECT']);

/** Collection and sort block; undefined when the viewer may not see the collection, so that errors do not reveal its blocks. */
export async function findEntrySortBlock(ctx: Context, args: ListEntriesArgs) {
  const owner = args.owner === undefined ? undefined : parseEntryOwner(args.owner);
  const id = args.collectionId?.replace(/^collection:/, '') ?? (owner?.kind === 'collection' ? owner.id : '');
  const collection = await findCollection(ctx, { businessId: args.businessId, id });
  if (!collection) return undefined;
  const block = collection.blocks.find((candidate) => candidate.id === args.sortBlock);
  if (!block) throw validationError('sortBlock', 'UNKNOWN_BLOCK', 'The collection has no such block.');
  if (!isSortable(block))
    throw validationError(
      'sortBlock',
      'BLOCK_NOT_SORTABLE',
      `Must be a block of type ${[...sortableTypes].join(', ')} that is not rich text.`,
    );
  return { collectionId: collection.id, block };
}

const isSortable = (block: Block) => sortableTypes.has(block.type) && !isRichTextBlock(block);

/** Appends its parameters to `params`, which must already contain all others. */
export function buildEntryBlockSortSources(
  { collectionId, block }: { collectionId: string; block: Block },
  descending: boolean,
  params: unknown[],
) {
  const position = params.push(collectionId);
  const collection = `$${position}::uuid`;
  const blockCondition = `k.collection_id = ${collection} and k.block = $${position + 1} and k.kind = $${position + 2}`;
  const valuedSource: PageSource = {
    from: 'entry_sort_keys k',
    join: 'join entries e on e.business_id = $1 and e.id = k.entry_id',
    id: 'k.entry_id',
    key: 'k.key',
    column: 'key',
    type: 'text',
    conditions: [blockCondition],
    ownerConditions: [blockCondition],
    params: [],
    descending,
  };
  return {
    valuedSource,
    agedSource: buildPageSourceByAge('entries e', 'collection_id', descending, collection),
    group: collectionId,
    valueParams: [block.id, block.type],
    lacksValue: `not exists (select 1 from entry_sort_keys k where k.entry_id = e.id and ${blockCondition})`,
  };
}
