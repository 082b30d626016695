/** GraphQL fields `Product.business` and `Business.products`. */
import { notFoundError } from '../../errors.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { listCost, pageArgs } from '../../graphql/schema/connection.ts';
import { loadBusiness } from '../businesses/load-configuration.ts';
import { BusinessType } from '../businesses/types.ts';
import { listBusinessProducts } from '../products/read/list-products.ts';
import { ProductConnection, ProductType } from '../products/types.ts';

builder.objectField(ProductType, 'business', (t) =>
  t.field({
    type: BusinessType,
    description: 'Business that sells the product.',
    complexity: 5,
    resolve: async ({ businessId }, _args, ctx) => {
      const business = await loadBusiness(ctx, businessId);
      // The business was deleted after the product was read.
      if (!business) throw notFoundError('Business');
      return business;
    },
  }),
);

builder.objectField(BusinessType, 'products', (t) =>
  t.field({
    type: ProductConnection,
    description: 'Products of the business, newest first. Drafts are visible to staff only.',
    complexity: listCost,
    args: pageArgs,
    resolve: ({ id }, args, ctx) => listBusinessProducts(ctx, id, args),
  }),
);
