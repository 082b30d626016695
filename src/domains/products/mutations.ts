/** GraphQL mutations of products and stock. */
import { permissionInBusinessScope, permissionOnRecordScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createResultUnion, errorsAsData } from '../../graphql/schema/error-enums-and-result-unions.ts';
import { inputArg } from '../../graphql/schema/field-tables.ts';
import { asPayload, createPayloadType } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { DeletedPayload } from '../shared/media-and-status-graphql-types.ts';
import { AdjustStockInput, CreateProductInput, UpdateProductInput } from './inputs.ts';
import { adjustStockSchema, createProductSchema, updateProductSchema } from './schemas.ts';
import { adjustStock } from './stock/adjust-stock.ts';
import { StockMovementGraphqlType } from './stock/types.ts';
import { ProductGraphqlType } from './types.ts';
import { createProduct } from './write/create-product.ts';
import { deleteProduct } from './write/delete-product.ts';
import { updateProduct } from './write/update-product.ts';

const ProductPayload = createPayloadType('ProductPayload', 'product', ProductGraphqlType);
const StockMovementPayload = createPayloadType('StockMovementPayload', 'movement', StockMovementGraphqlType);

const adjustStockField = validatedField(adjustStockSchema, asPayload('movement', adjustStock));

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'Id of the business.' });
  const id = t.arg.id({ required: true, description: 'Id or slug of the product.' });
  const version = t.arg.int({
    description: 'Expected version: fails with PRECONDITION_FAILED when the current version differs.',
  });
  return {
    createProduct: t.field({
      type: ProductPayload,
      description:
        'Creates a product with its variants. Default status: ACTIVE, which makes it public. Requires PRODUCTS_WRITE.',
      authScopes: permissionInBusinessScope('PRODUCTS_WRITE'),
      args: { businessId, ...inputArg(CreateProductInput, 'The product.') },
      ...validatedField(createProductSchema, asPayload('product', createProduct)),
    }),
    updateProduct: t.field({
      type: ProductPayload,
      description: 'Updates the fields in the input. Requires PRODUCTS_WRITE.',
      authScopes: permissionOnRecordScope('PRODUCTS_WRITE', 'Product'),
      args: { businessId, id, version, ...inputArg(UpdateProductInput, 'Fields to update.') },
      ...validatedField(updateProductSchema, asPayload('product', updateProduct)),
    }),
    adjustStock: t.field({
      type: StockMovementPayload,
      description: 'Changes the stock of a variant by a difference. Requires PRODUCTS_WRITE.',
      authScopes: permissionOnRecordScope('PRODUCTS_WRITE', 'Product'),
      args: { businessId, id, ...inputArg(AdjustStockInput, 'The adjustment.') },
      ...adjustStockField,
    }),
    tryAdjustStock: t.field({
      type: createResultUnion('AdjustStockOutcome', StockMovementPayload),
      description:
        'Like `adjustStock`, but returns expected failures, such as insufficient stock, as data instead of errors. Requires PRODUCTS_WRITE.',
      authScopes: permissionOnRecordScope('PRODUCTS_WRITE', 'Product'),
      args: { businessId, id, ...inputArg(AdjustStockInput, 'The adjustment.') },
      ...errorsAsData(adjustStockField),
    }),
    deleteProduct: t.field({
      type: DeletedPayload,
      description:
        'Deletes a product with its variants. Orders that contain it remain unchanged. Requires PRODUCTS_WRITE.',
      authScopes: permissionOnRecordScope('PRODUCTS_WRITE', 'Product'),
      args: { businessId, id, version },
      resolve: (_root, args, ctx) => deleteProduct(ctx, args),
    }),
  };
});
