/** Mutations of collections. */

import { permissionInBusiness, permissionOnRecord } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createPayloadType } from '../../graphql/schema/type-helpers.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import type { Block } from '../blocks/model.ts';
import { BlockObject } from '../blocks/types.ts';
import { DeletedPayload } from '../shared/types.ts';
import { CreateCollectionInput, GenerateBlocksInput, UpdateCollectionInput } from './inputs.ts';
import { createCollectionSchema, generateBlocksSchema, updateCollectionSchema } from './schemas.ts';
import { CollectionType } from './types.ts';
import { createCollection } from './write/create-collection.ts';
import { deleteCollection } from './write/delete-collection.ts';
import { generateBlocks } from './write/generate-blocks.ts';
import { updateCollection } from './write/update-collection.ts';

const CollectionPayload = createPayloadType('CollectionPayload', 'collection', CollectionType);

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
      authScopes: permissionInBusiness('CONTENT_WRITE'),
      args: {
        businessId,
        input: t.arg({ type: CreateCollectionInput, required: true, description: 'The collection.' }),
      },
      ...validatedField(createCollectionSchema, async (args, ctx, sent) => ({
        collection: await createCollection(ctx, args, sent),
      })),
    }),
    updateCollection: t.field({
      type: CollectionPayload,
      description:
        'Changes the fields that are given. Stored entries stay readable; writing them again follows the new schema. Needs CONTENT_WRITE.',
      authScopes: permissionOnRecord('CONTENT_WRITE', 'Collection'),
      args: {
        businessId,
        id,
        version,
        input: t.arg({ type: UpdateCollectionInput, required: true, description: 'The changes.' }),
      },
      ...validatedField(updateCollectionSchema, async (args, ctx) => ({
        collection: await updateCollection(ctx, args),
      })),
    }),
    deleteCollection: t.field({
      type: DeletedPayload,
      description:
        'Deletes a collection. One with entries or subscribers only by force. Needs CONTENT_WRITE.',
      authScopes: permissionOnRecord('CONTENT_WRITE', 'Collection'),
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
      authScopes: permissionInBusiness('CONTENT_WRITE'),
      args: {
        businessId,
        input: t.arg({ type: GenerateBlocksInput, required: true, description: 'What to write.' }),
      },
      ...validatedField(generateBlocksSchema, async (args, ctx) => ({
        blocks: await generateBlocks(ctx, args),
      })),
    }),
  };
});
