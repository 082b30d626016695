/** GraphQL queries of businesses and their configuration. */
import {
  businessStorefrontScope,
  permissionInBusinessScope,
  permissionOnRecordScope,
  storefrontScope,
} from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { findBusiness, listOwnBusinesses } from './manage-businesses.ts';
import { findMarket, listMarkets } from './manage-markets.ts';
import { findShippingMethod, listShippingMethods } from './manage-shipping-methods.ts';
import { findPromoCode, listPromoCodes } from './promo-codes/manage-promo-codes.ts';
import { listConfigurationRecordsSchema, listOwnBusinessesSchema } from './schemas.ts';
import { findRole, listRoles } from './staff/manage-roles.ts';
import {
  BusinessConnection,
  BusinessGraphqlType,
  MarketConnection,
  MarketGraphqlType,
  PromoCodeConnection,
  PromoCodeGraphqlType,
  RoleConnection,
  RoleGraphqlType,
  ShippingMethodConnection,
  ShippingMethodGraphqlType,
} from './types.ts';

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id of the record.' });
  const listArgs = { businessId, ...pageArgs };
  return {
    business: t.field({
      type: BusinessGraphqlType,
      nullable: true,
      description: 'One business by id or slug.',
      authScopes: businessStorefrontScope,
      args: { id },
      resolve: (_root, args, ctx) => findBusiness(ctx, args.id),
    }),
    businesses: t.field({
      type: BusinessConnection,
      description: 'Businesses of which the viewer is a member.',
      authScopes: { signedIn: true },
      complexity: estimateListCost,
      args: pageArgs,
      ...validatedField(listOwnBusinessesSchema, listOwnBusinesses),
    }),
    market: t.field({
      type: MarketGraphqlType,
      nullable: true,
      description: 'One market by its code.',
      authScopes: storefrontScope,
      args: fieldArgs({ businessId, code: ['ID!', 'Code, case-insensitive.'] }),
      resolve: (_root, args, ctx) => findMarket(ctx, args),
    }),
    markets: t.field({
      type: MarketConnection,
      description: 'The markets of a business.',
      authScopes: storefrontScope,
      complexity: estimateListCost,
      args: listArgs,
      ...validatedField(listConfigurationRecordsSchema, listMarkets),
    }),
    shippingMethod: t.field({
      type: ShippingMethodGraphqlType,
      nullable: true,
      description: 'One shipping method, with its price in each market.',
      authScopes: storefrontScope,
      args: { businessId, id },
      resolve: (_root, args, ctx) => findShippingMethod(ctx, args),
    }),
    shippingMethods: t.field({
      type: ShippingMethodConnection,
      description: 'The shipping methods of a business.',
      authScopes: storefrontScope,
      complexity: estimateListCost,
      args: listArgs,
      ...validatedField(listConfigurationRecordsSchema, listShippingMethods),
    }),
    promoCode: t.field({
      type: PromoCodeGraphqlType,
      nullable: true,
      description: 'One promo code, with its discount, validity and limits. Needs ADMIN.',
      authScopes: permissionOnRecordScope('ADMIN', 'Promo code'),
      args: { businessId, id },
      resolve: (_root, args, ctx) => findPromoCode(ctx, args),
    }),
    promoCodes: t.field({
      type: PromoCodeConnection,
      description: 'The promo codes of a business. Needs ADMIN.',
      authScopes: permissionInBusinessScope('ADMIN'),
      complexity: estimateListCost,
      args: listArgs,
      ...validatedField(listConfigurationRecordsSchema, listPromoCodes),
    }),
    role: t.field({
      type: RoleGraphqlType,
      nullable: true,
      description: 'One role with its permissions. Needs ADMIN.',
      authScopes: permissionOnRecordScope('ADMIN', 'Role'),
      args: { businessId, id },
      resolve: (_root, args, ctx) => findRole(ctx, args),
    }),
    roles: t.field({
      type: RoleConnection,
      description: 'The roles of a business with their permissions. Needs ADMIN.',
      authScopes: permissionInBusinessScope('ADMIN'),
      complexity: estimateListCost,
      args: listArgs,
      ...validatedField(listConfigurationRecordsSchema, listRoles),
    }),
  };
});
