/** GraphQL queries of collections. */
import { storefrontScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { findCollection } from './read/find-collection.ts';
import { listCollections } from './read/list-collections.ts';
import { listCollectionsSchema } from './schemas.ts';
import {
  CollectionConnection,
  CollectionGraphqlType,
  CollectionKindEnum,
  ContentStatusEnum,
} from './types.ts';

builder.queryFields((t) => ({
  collection: t.field({
    type: CollectionGraphqlType,
    nullable: true,
    description: 'A collection by id, slug or `<businessId>:<locale>:<slug>`.',
    authScopes: storefrontScope,
    args: fieldArgs({
      businessId: ['ID!', 'Id of the business.'],
      id: ['ID!', 'Id, slug or `<businessId>:<locale>:<slug>`.'],
    }),
    resolve: (_root, args, ctx) => findCollection(ctx, args),
  }),
  collections: t.field({
    type: CollectionConnection,
    description:
      'Collections of a business, newest first. Viewers without CONTENT_WRITE see published collections only.',
    authScopes: storefrontScope,
    complexity: estimateListCost,
    args: fieldArgs({
      businessId: ['ID!', 'Id of the business.'],
      ...pageArgs,
      ids: ['[ID!]', 'Only collections with these ids, up to 100.'],
      type: ['String', 'Only collections of this type, such as `NEWSLETTER`.'],
      kind: [CollectionKindEnum, 'Only collections of this kind.'],
      status: [ContentStatusEnum, 'Only collections with this current status.'],
    }),
    ...validatedField(listCollectionsSchema, listCollections),
  }),
}));
