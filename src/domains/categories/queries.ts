/** GraphQL queries of categories. */
import { storefrontScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { findCategory } from './read/find-category.ts';
import { listCategories } from './read/list-categories.ts';
import { listCategoriesSchema } from './schemas.ts';
import { CategoryConnection, CategoryGraphqlType } from './types.ts';

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'Id of the business.' });
  return {
    category: t.field({
      type: CategoryGraphqlType,
      nullable: true,
      description: 'Category by id or slug; null when it does not exist.',
      authScopes: storefrontScope,
      args: fieldArgs({ businessId, id: ['ID!', 'Id or slug of the category.'] }),
      resolve: (_root, args, ctx) => findCategory(ctx, args),
    }),
    categories: t.field({
      type: CategoryConnection,
      description:
        'Categories of a business in tree order: each is followed by its sub-categories, siblings by position.',
      authScopes: storefrontScope,
      complexity: estimateListCost,
      args: fieldArgs({
        businessId,
        ...pageArgs,
        parentId: ['ID', 'Only the direct sub-categories of this category, by id or slug.'],
        topLevel: ['Boolean', 'True: only categories without a parent. False: only sub-categories.'],
      }),
      ...validatedField(listCategoriesSchema, listCategories),
    }),
  };
});
