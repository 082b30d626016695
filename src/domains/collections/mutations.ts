/** GraphQL mutations of collections. */
import { permissionInBusinessScope, permissionOnRecordScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs, inputArg } from '../../graphql/schema/field-tables.ts';
import { asPayload, createPayloadType } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import type { Block } from '../blocks/model.ts';
import { BlockGraphqlType } from '../blocks/types.ts';
import { DeletedPayload } from '../shared/media-and-status-graphql-types.ts';
import { CreateCollectionInput, GenerateBlocksInput, UpdateCollectionInput } from './inputs.ts';
import { createCollectionSchema, generateBlocksSchema, updateCollectionSchema } from './schemas.ts';
import { CollectionGraphqlType } from './types.ts';
import { createCollection } from './write/create-collection.ts';
import { deleteCollection } from './write/delete-collection.ts';
import { generateBlockValues } from './write/generate-blocks.ts';
import { updateCollection } from './write/update-collection.ts';

const CollectionPayload = createPayloadType('CollectionPayload', 'collection', CollectionGraphqlType);

const GenerateBlocksPayload = builder.objectRef<{ blocks: Block[] }>('GenerateBlocksPayload').implement({
  description: 'Result of `generateBlocks`.',
  fields: (t) => ({
    blocks: t.expose('blocks', {
      type: [BlockGraphqlType],
      description: 'Blocks with generated values. Blocks without a valid value are omitted.',
    }),
  }),
});

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'Id of the business.' });
  const id = t.arg.id({ required: true, description: 'Id or slug.' });
  const version = t.arg.int({
    description: 'Fail with PRECONDITION_FAILED unless this is the current version.',
  });
  return {
    createCollection: t.field({
      type: CollectionPayload,
      description: 'Creates a collection, whose blocks are the schema of its entries. Needs CONTENT_WRITE.',
      authScopes: permissionInBusinessScope('CONTENT_WRITE'),
      args: { businessId, ...inputArg(CreateCollectionInput, 'The collection.') },
      ...validatedField(createCollectionSchema, async (ctx, args, request) => ({
        collection: await createCollection(ctx, args, request),
      })),
    }),
    updateCollection: t.field({
      type: CollectionPayload,
      description:
        'Updates a collection; omitted fields keep their value. A new schema applies when an entry is written; stored entries stay readable. Needs CONTENT_WRITE.',
      authScopes: permissionOnRecordScope('CONTENT_WRITE', 'Collection'),
      args: { businessId, id, version, ...inputArg(UpdateCollectionInput, 'The changes.') },
      ...validatedField(updateCollectionSchema, asPayload('collection', updateCollection)),
    }),
    deleteCollection: t.field({
      type: DeletedPayload,
      description:
        'Deletes a collection. Fails if it has entries or subscribers, unless `force` is true. Needs CONTENT_WRITE.',
      authScopes: permissionOnRecordScope('CONTENT_WRITE', 'Collection'),
      args: fieldArgs({
        businessId,
        id,
        version,
        force: ['Boolean', 'Delete its entries and subscribers too. Default: false.'],
      }),
      resolve: (_root, args, ctx) => deleteCollection(ctx, args),
    }),
    generateBlocks: t.field({
      type: GenerateBlocksPayload,
      description: 'Generates block values from a prompt. Stores nothing. Needs CONTENT_WRITE.',
      authScopes: permissionInBusinessScope('CONTENT_WRITE'),
      args: { businessId, ...inputArg(GenerateBlocksInput, 'Prompt and blocks.') },
      ...validatedField(generateBlocksSchema, asPayload('blocks', generateBlockValues)),
    }),
  };
});
