/** Catalogue mutations. */

import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { payloadOf } from '../../graphql/payload.ts';
import { orRefusal, outcomeOf } from '../../graphql/refusal.ts';
import { inBusiness, onRecord } from '../../graphql/scopes.ts';
import { DeletedPayload } from '../shared/types.ts';
import { adjustStock } from './adjust-stock.ts';
import { adjustStockCheck, createProductCheck, updateProductCheck } from './checks.ts';
import { createProduct } from './create-product.ts';
import { deleteProduct } from './delete-product.ts';
import { AdjustStockInput, CreateProductInput, UpdateProductInput } from './inputs.ts';
import { StockMovementType } from './stock-types.ts';
import { ProductType } from './types.ts';
import { updateProduct } from './update-product.ts';

const ProductPayload = payloadOf('ProductPayload', 'product', ProductType);
const StockMovementPayload = payloadOf('StockMovementPayload', 'movement', StockMovementType);

const adjusted = checked(adjustStockCheck, async (args, ctx) => ({ movement: await adjustStock(ctx, args) }));

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
      authScopes: inBusiness('PRODUCTS_WRITE'),
      args: {
        businessId,
        input: t.arg({ type: CreateProductInput, required: true, description: 'The product.' }),
      },
      ...checked(createProductCheck, async (args, ctx) => ({
        product: await createProduct(ctx, args),
      })),
    }),
    updateProduct: t.field({
      type: ProductPayload,
      description: 'Changes the fields that are given. Needs PRODUCTS_WRITE.',
      authScopes: onRecord('PRODUCTS_WRITE', 'Product'),
      args: {
        businessId,
        id,
        version,
        input: t.arg({ type: UpdateProductInput, required: true, description: 'The changes.' }),
      },
      ...checked(updateProductCheck, async (args, ctx) => ({
        product: await updateProduct(ctx, args),
      })),
    }),
    adjustStock: t.field({
      type: StockMovementPayload,
      description: 'Changes the stock of a variant by a difference. Needs PRODUCTS_WRITE.',
      authScopes: onRecord('PRODUCTS_WRITE', 'Product'),
      args: {
        businessId,
        id,
        input: t.arg({ type: AdjustStockInput, required: true, description: 'The change.' }),
      },
      ...adjusted,
    }),
    tryAdjustStock: t.field({
      type: outcomeOf('AdjustStockOutcome', StockMovementPayload),
      description:
        'The same as `adjustStock`; a refusal, such as for want of stock, is an answer. Needs PRODUCTS_WRITE.',
      authScopes: onRecord('PRODUCTS_WRITE', 'Product'),
      args: {
        businessId,
        id,
        input: t.arg({ type: AdjustStockInput, required: true, description: 'The change.' }),
      },
      ...orRefusal(adjusted),
    }),
    deleteProduct: t.field({
      type: DeletedPayload,
      description: 'Deletes a product. Orders that contain it stay readable. Needs PRODUCTS_WRITE.',
      authScopes: onRecord('PRODUCTS_WRITE', 'Product'),
      args: { businessId, id, version },
      resolve: (_root, args, ctx) => deleteProduct(ctx, { ...args, version: args.version ?? undefined }),
    }),
  };
});
