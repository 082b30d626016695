/** Queries of businesses and their configuration. */

import { permissionInBusiness, permissionOnRecord } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { listCost, pageArgs } from '../../graphql/schema/connection.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { findBusiness, listBusinesses } from './businesses.ts';
import { findMarket, listMarkets } from './markets.ts';
import { findPromoCode, listPromoCodes } from './promo-codes/promo-codes.ts';
import { configurationPageSchema, viewerBusinessesSchema } from './schemas.ts';
import { findShippingMethod, listShippingMethods } from './shipping-methods.ts';
import { findRole, listRoles } from './staff/roles.ts';
import {
  BusinessConnection,
  BusinessType,
  MarketConnection,
  MarketType,
  PromoCodeConnection,
  PromoCodeObject,
  RoleConnection,
  RoleType,
  ShippingMethodConnection,
  ShippingMethodType,
} from './types.ts';

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id of the record.' });
  const listArgs = { businessId, ...pageArgs };
  return {
    business: t.field({
      type: BusinessType,
      nullable: true,
      description: 'One business by id or slug.',
      authScopes: { signedIn: true },
      args: { id },
      resolve: (_root, args, ctx) => findBusiness(ctx, args.id),
    }),
    businesses: t.field({
      type: BusinessConnection,
      description: 'The businesses the viewer works for.',
      authScopes: { signedIn: true },
      complexity: listCost,
      args: pageArgs,
      ...validatedField(viewerBusinessesSchema, (args, ctx) => listBusinesses(ctx, args)),
    }),
    market: t.field({
      type: MarketType,
      nullable: true,
      description: 'One market by its code.',
      authScopes: { signedIn: true },
      args: { businessId, code: t.arg.id({ required: true, description: 'Code, in any case.' }) },
      resolve: (_root, args, ctx) => findMarket(ctx, args),
    }),
    markets: t.field({
      type: MarketConnection,
      description: 'The markets of a business.',
      authScopes: { signedIn: true },
      complexity: listCost,
      args: listArgs,
      ...validatedField(configurationPageSchema, (args, ctx) => listMarkets(ctx, args)),
    }),
    shippingMethod: t.field({
      type: ShippingMethodType,
      nullable: true,
      description: 'One shipping method, with what it costs in each market.',
      authScopes: { signedIn: true },
      args: { businessId, id },
      resolve: (_root, args, ctx) => findShippingMethod(ctx, args),
    }),
    shippingMethods: t.field({
      type: ShippingMethodConnection,
      description: 'The shipping methods of a business.',
      authScopes: { signedIn: true },
      complexity: listCost,
      args: listArgs,
      ...validatedField(configurationPageSchema, (args, ctx) => listShippingMethods(ctx, args)),
    }),
    promoCode: t.field({
      type: PromoCodeObject,
      nullable: true,
      description: 'One promo code: what it takes off, when, and how often it may be used. Needs ADMIN.',
      authScopes: permissionOnRecord('ADMIN', 'Promo code'),
      args: { businessId, id },
      resolve: (_root, args, ctx) => findPromoCode(ctx, args),
    }),
    promoCodes: t.field({
      type: PromoCodeConnection,
      description: 'The promo codes of a business. Needs ADMIN.',
      authScopes: permissionInBusiness('ADMIN'),
      complexity: listCost,
      args: listArgs,
      ...validatedField(configurationPageSchema, (args, ctx) => listPromoCodes(ctx, args)),
    }),
    role: t.field({
      type: RoleType,
      nullable: true,
      description: 'One role and the permissions it gives. Needs ADMIN.',
      authScopes: permissionOnRecord('ADMIN', 'Role'),
      args: { businessId, id },
      resolve: (_root, args, ctx) => findRole(ctx, args),
    }),
    roles: t.field({
      type: RoleConnection,
      description: 'The roles of a business, each with the permissions it gives. Needs ADMIN.',
      authScopes: permissionInBusiness('ADMIN'),
      complexity: listCost,
      args: listArgs,
      ...validatedField(configurationPageSchema, (args, ctx) => listRoles(ctx, args)),
    }),
  };
});
