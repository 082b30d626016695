/** Catalogue mutations. */

import { permissionInBusiness, permissionOnRecord } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createResultUnion, errorsAsData } from '../../graphql/schema/error-unions.ts';
import { createPayloadType } from '../../graphql/schema/type-helpers.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { DeletedPayload } from '../shared/types.ts';
import { AdjustStockInput, CreateProductInput, UpdateProductInput } from './inputs.ts';
import { adjustStockSchema, createProductSchema, updateProductSchema } from './schemas.ts';
import { adjustStock } from './stock/adjust-stock.ts';
import { StockMovementType } from './stock/types.ts';
import { ProductType } from './types.ts';
import { createProduct } from './write/create-product.ts';
import { deleteProduct } from './write/delete-product.ts';
import { updateProduct } from './write/update-product.ts';

const ProductPayload = createPayloadType('ProductPayload', 'product', ProductType);
const StockMovementPayload = createPayloadType('StockMovementPayload', 'movement', StockMovementType);

const adjusted = validatedField(adjustStockSchema, async (args, ctx) => ({
  movement: await adjustStock(ctx, args),
}));

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id or slug.' });
  const version = t.arg.int({
    description: 'Fail with PRECONDITION_FAILED unless this is the current version.',
  });
  return {
    createProduct: t.field({
      type: ProductPayload,
      description:
        'Creates a product with its variants. It is ACTIVE, and sold, unless a status says otherwise. Needs PRODUCTS_WRITE.',
      authScopes: permissionInBusiness('PRODUCTS_WRITE'),
      args: {
        businessId,
        input: t.arg({ type: CreateProductInput, required: true, description: 'The product.' }),
      },
      ...validatedField(createProductSchema, async (args, ctx) => ({
        product: await createProduct(ctx, args),
      })),
    }),
    updateProduct: t.field({
      type: ProductPayload,
      description: 'Changes the fields that are given. Needs PRODUCTS_WRITE.',
      authScopes: permissionOnRecord('PRODUCTS_WRITE', 'Product'),
      args: {
        businessId,
        id,
        version,
        input: t.arg({ type: UpdateProductInput, required: true, description: 'The changes.' }),
      },
      ...validatedField(updateProductSchema, async (args, ctx) => ({
        product: await updateProduct(ctx, args),
      })),
    }),
    adjustStock: t.field({
      type: StockMovementPayload,
      description: 'Changes the stock of a variant by a difference. Needs PRODUCTS_WRITE.',
      authScopes: permissionOnRecord('PRODUCTS_WRITE', 'Product'),
      args: {
        businessId,
        id,
        input: t.arg({ type: AdjustStockInput, required: true, description: 'The change.' }),
      },
      ...adjusted,
    }),
    tryAdjustStock: t.field({
      type: createResultUnion('AdjustStockOutcome', StockMovementPayload),
      description:
        'The same as `adjustStock`; a refusal, such as for want of stock, is an answer. Needs PRODUCTS_WRITE.',
      authScopes: permissionOnRecord('PRODUCTS_WRITE', 'Product'),
      args: {
        businessId,
        id,
        input: t.arg({ type: AdjustStockInput, required: true, description: 'The change.' }),
      },
      ...errorsAsData(adjusted),
    }),
    deleteProduct: t.field({
      type: DeletedPayload,
      description: 'Deletes a product. Orders that contain it stay readable. Needs PRODUCTS_WRITE.',
      authScopes: permissionOnRecord('PRODUCTS_WRITE', 'Product'),
      args: { businessId, id, version },
      resolve: (_root, args, ctx) => deleteProduct(ctx, { ...args, version: args.version ?? undefined }),
    }),
  };
});
