/** Queries of businesses and their configuration. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { listCost, pageArgs } from '../../graphql/connection.ts';
import { inBusiness, onRecord } from '../../graphql/scopes.ts';
import { findBusiness, listBusinesses } from './businesses.ts';
import { listCheck, ownListCheck } from './checks.ts';
import { findMarket, listMarkets } from './markets.ts';
import { findPromoCode, listPromoCodes } from './promo-codes.ts';
import { findRole, listRoles } from './roles.ts';
import { findShippingMethod, listShippingMethods } from './shipping-methods.ts';
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
      ...checked(ownListCheck, (args, ctx) => listBusinesses(ctx, args)),
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
      ...checked(listCheck, (args, ctx) => listMarkets(ctx, args)),
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
      ...checked(listCheck, (args, ctx) => listShippingMethods(ctx, args)),
    }),
    promoCode: t.field({
      type: PromoCodeObject,
      nullable: true,
      description: 'One promo code: what it takes off, when, and how often it may be used. Needs ADMIN.',
      authScopes: onRecord('ADMIN', 'Promo code'),
      args: { businessId, id },
      resolve: (_root, args, ctx) => findPromoCode(ctx, args),
    }),
    promoCodes: t.field({
      type: PromoCodeConnection,
      description: 'The promo codes of a business. Needs ADMIN.',
      authScopes: inBusiness('ADMIN'),
      complexity: listCost,
      args: listArgs,
      ...checked(listCheck, (args, ctx) => listPromoCodes(ctx, args)),
    }),
    role: t.field({
      type: RoleType,
      nullable: true,
      description: 'One role and the permissions it gives. Needs ADMIN.',
      authScopes: onRecord('ADMIN', 'Role'),
      args: { businessId, id },
      resolve: (_root, args, ctx) => findRole(ctx, args),
    }),
    roles: t.field({
      type: RoleConnection,
      description: 'The roles of a business, each with the permissions it gives. Needs ADMIN.',
      authScopes: inBusiness('ADMIN'),
      complexity: listCost,
      args: listArgs,
      ...checked(listCheck, (args, ctx) => listRoles(ctx, args)),
    }),
  };
});
