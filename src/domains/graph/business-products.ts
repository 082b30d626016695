/** The ways between a business and its products. */
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
    description: 'The business that sells it.',
    complexity: 5,
    resolve: async ({ businessId }, _args, ctx) => {
      const business = await loadBusiness(ctx, businessId);
      // Gone since the product was read.
      if (!business) throw notFoundError('Business');
      return business;
    },
  }),
);

builder.objectField(BusinessType, 'products', (t) =>
  t.field({
    type: ProductConnection,
    description: 'Its products, newest first. Drafts are visible to staff only.',
    complexity: listCost,
    args: pageArgs,
    resolve: ({ id }, args, ctx) => listBusinessProducts(ctx, id, args),
  }),
);
