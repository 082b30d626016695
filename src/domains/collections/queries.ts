/** GraphQL queries of collections. */
import { storefrontScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
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
    args: {
      businessId: t.arg.id({ required: true, description: 'Id of the business.' }),
      id: t.arg.id({ required: true, description: 'Id, slug or `<businessId>:<locale>:<slug>`.' }),
    },
    resolve: (_root, args, ctx) => findCollection(ctx, args),
  }),
  collections: t.field({
    type: CollectionConnection,
    description:
      'Collections of a business, newest first. Viewers without CONTENT_WRITE see published collections only.',
    authScopes: storefrontScope,
    complexity: estimateListCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'Id of the business.' }),
      ...pageArgs,
      ids: t.arg.idList({ description: 'Only collections with these ids, up to 100.' }),
      type: t.arg.string({ description: 'Only collections of this type, such as `NEWSLETTER`.' }),
      kind: t.arg({ type: CollectionKindEnum, description: 'Only collections of this kind.' }),
      status: t.arg({ type: ContentStatusEnum, description: 'Only collections with this current status.' }),
    },
    ...validatedField(listCollectionsSchema, listCollections),
  }),
}));
