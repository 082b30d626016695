/** GraphQL field `Business.products`. */
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { parseInput } from '../../lib/validation/input.ts';
import { BusinessGraphqlType } from '../businesses/types.ts';
import { listBusinessProducts, listProducts } from '../products/read/list-products.ts';
import { productListArgs } from '../products/search/product-list-graphql-args.ts';
import { listProductsSchema } from '../products/search/schemas.ts';
import { ProductConnection } from '../products/types.ts';

builder.objectField(BusinessGraphqlType, 'products', (t) =>
  t.field({
    type: ProductConnection,
    description:
      'Products of the business, newest first unless `sort` is given. Takes the arguments of the query `products`. Drafts are visible to staff only.',
    complexity: estimateListCost,
    args: { ...pageArgs, ...productListArgs },
    resolve: ({ id }, { first, after, last, before, ...filters }, ctx) => {
      const page = { first, after, last, before };
      // Pages without filters are loaded by one query for all businesses.
      return Object.values(filters).every((value) => value === null || value === undefined)
        ? listBusinessProducts(ctx, id, page)
        : listProducts(ctx, parseInput(listProductsSchema, { businessId: id, ...page, ...filters }));
    },
  }),
);
