/** Mutations of collections. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { payloadOf } from '../../graphql/payload.ts';
import { inBusiness, onRecord } from '../../graphql/scopes.ts';
import type { Block } from '../blocks/model.ts';
import { BlockObject } from '../blocks/types.ts';
import { DeletedPayload } from '../shared/types.ts';
import { createCollectionCheck, generateBlocksCheck, updateCollectionCheck } from './checks.ts';
import { createCollection } from './create-collection.ts';
import { deleteCollection } from './delete-collection.ts';
import { generateBlocks } from './generate-blocks.ts';
import { CreateCollectionInput, GenerateBlocksInput, UpdateCollectionInput } from './inputs.ts';
import { CollectionType } from './types.ts';
import { updateCollection } from './update-collection.ts';

const CollectionPayload = payloadOf('CollectionPayload', 'collection', CollectionType);

const GenerateBlocksPayload = builder.objectRef<{ blocks: Block[] }>('GenerateBlocksPayload').implement({
  description: 'What was written.',
  fields: (t) => ({
    blocks: t.expose('blocks', {
      type: [BlockObject],
      description: 'The blocks with values. Blocks for which none could be made are left out.',
    }),
  }),
});

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id or slug.' });
  const version = t.arg.int({
    description: 'Fail with PRECONDITION_FAILED unless this is the current version.',
  });
  return {
    createCollection: t.field({
      type: CollectionPayload,
      description: 'Creates a collection: the schema of entries to come. Needs CONTENT_WRITE.',
      authScopes: inBusiness('CONTENT_WRITE'),
      args: {
        businessId,
        input: t.arg({ type: CreateCollectionInput, required: true, description: 'The collection.' }),
      },
      ...checked(createCollectionCheck, async (args, ctx, sent) => ({
        collection: await createCollection(ctx, args, sent),
      })),
    }),
    updateCollection: t.field({
      type: CollectionPayload,
      description:
        'Changes the fields that are given. Stored entries stay readable; writing them again follows the new schema. Needs CONTENT_WRITE.',
      authScopes: onRecord('CONTENT_WRITE', 'Collection'),
      args: {
        businessId,
        id,
        version,
        input: t.arg({ type: UpdateCollectionInput, required: true, description: 'The changes.' }),
      },
      ...checked(updateCollectionCheck, async (args, ctx) => ({
        collection: await updateCollection(ctx, args),
      })),
    }),
    deleteCollection: t.field({
      type: DeletedPayload,
      description:
        'Deletes a collection. One with entries or subscribers only by force. Needs CONTENT_WRITE.',
      authScopes: onRecord('CONTENT_WRITE', 'Collection'),
      args: {
        businessId,
        id,
        version,
        force: t.arg.boolean({ description: 'Delete its entries and subscribers with it.' }),
      },
      resolve: (_root, args, ctx) =>
        deleteCollection(ctx, {
          ...args,
          version: args.version ?? undefined,
          force: args.force ?? undefined,
        }),
    }),
    generateBlocks: t.field({
      type: GenerateBlocksPayload,
      description: 'Writes values for blocks from a prompt. Nothing is stored. Needs CONTENT_WRITE.',
      authScopes: inBusiness('CONTENT_WRITE'),
      args: {
        businessId,
        input: t.arg({ type: GenerateBlocksInput, required: true, description: 'What to write.' }),
      },
      ...checked(generateBlocksCheck, async (args, ctx) => ({
        blocks: await generateBlocks(ctx, args),
      })),
    }),
  };
});
