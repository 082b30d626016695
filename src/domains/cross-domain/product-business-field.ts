/** GraphQL field `Product.business`. */
import { notFoundError } from '../../errors.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { loadBusiness } from '../businesses/load-businesses-and-configuration.ts';
import { BusinessGraphqlType } from '../businesses/types.ts';
import { ProductGraphqlType } from '../products/types.ts';

builder.objectField(ProductGraphqlType, 'business', (t) =>
  t.field({
    type: BusinessGraphqlType,
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
