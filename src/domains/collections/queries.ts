/** Queries of collections. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { listCost, pageArgs } from '../../graphql/connection.ts';
import { collectionFilterCheck } from './checks.ts';
import { findCollection } from './find-collection.ts';
import { listCollections } from './list-collections.ts';
import { CollectionConnection, CollectionKindEnum, CollectionType, ContentStatusEnum } from './types.ts';

builder.queryFields((t) => ({
  collection: t.field({
    type: CollectionType,
    nullable: true,
    description: 'One collection by id, slug or `<businessId>:<locale>:<slug>`.',
    authScopes: { signedIn: true },
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      id: t.arg.id({ required: true, description: 'Id, slug or slug triple.' }),
    },
    resolve: (_root, args, ctx) => findCollection(ctx, args),
  }),
  collections: t.field({
    type: CollectionConnection,
    description: 'Collections of a business, newest first. Drafts are visible to editors only.',
    authScopes: { signedIn: true },
    complexity: listCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      ...pageArgs,
      ids: t.arg.idList({ description: 'Only these.' }),
      type: t.arg.string({ description: 'Only this type, such as `NEWSLETTER`.' }),
      kind: t.arg({ type: CollectionKindEnum, description: 'Only newsletters, or all others.' }),
      status: t.arg({ type: ContentStatusEnum, description: 'Only this current status.' }),
    },
    ...checked(collectionFilterCheck, (args, ctx) => listCollections(ctx, args)),
  }),
}));
