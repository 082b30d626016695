/** GraphQL mutations of categories. All require PRODUCTS_WRITE. */
import { permissionInBusinessScope, permissionOnRecordScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs, inputArg } from '../../graphql/schema/field-tables.ts';
import { asPayload, createPayloadType } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { DeletedPayload } from '../shared/media-and-status-graphql-types.ts';
import { CreateCategoryInput, UpdateCategoryInput } from './inputs.ts';
import { createCategorySchema, updateCategorySchema } from './schemas.ts';
import { CategoryGraphqlType } from './types.ts';
import { createCategory } from './write/create-category.ts';
import { deleteCategory } from './write/delete-category.ts';
import { updateCategory } from './write/update-category.ts';

const CategoryPayload = createPayloadType('CategoryPayload', 'category', CategoryGraphqlType);

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'Id of the business.' });
  const id = t.arg.id({ required: true, description: 'Id or slug of the category.' });
  const version = t.arg.int({
    description: 'Expected version: fails with PRECONDITION_FAILED when the current version differs.',
  });
  return {
    createCategory: t.field({
      type: CategoryPayload,
      description:
        'Creates a category, last among those with the same parent unless it has a `position`. Products with its slug in `category` belong to it at once. Requires PRODUCTS_WRITE.',
      authScopes: permissionInBusinessScope('PRODUCTS_WRITE'),
      args: { businessId, ...inputArg(CreateCategoryInput, 'The category.') },
      ...validatedField(createCategorySchema, asPayload('category', createCategory)),
    }),
    updateCategory: t.field({
      type: CategoryPayload,
      description: 'Updates or moves a category. Requires PRODUCTS_WRITE.',
      authScopes: permissionOnRecordScope('PRODUCTS_WRITE', 'Category'),
      args: { businessId, id, ...inputArg(UpdateCategoryInput, 'Fields to update.'), version },
      ...validatedField(updateCategorySchema, asPayload('category', updateCategory)),
    }),
    deleteCategory: t.field({
      type: DeletedPayload,
      description:
        'Deletes a category. If it has sub-categories, products or tax rates, only with `force`. Requires PRODUCTS_WRITE.',
      authScopes: permissionOnRecordScope('PRODUCTS_WRITE', 'Category'),
      args: fieldArgs({
        businessId,
        id,
        version,
        force: [
          'Boolean',
          'Delete a category that is not empty: its sub-categories move up one level, and products keep their text in `category`. Default: false.',
        ],
      }),
      resolve: (_root, args, ctx) => deleteCategory(ctx, args),
    }),
  };
});
