/** GraphQL mutations of businesses and their configuration. All except `createBusiness` need ADMIN. */
import { permissionInBusinessScope, permissionOnRecordScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { inputArg } from '../../graphql/schema/field-tables.ts';
import { asPayload, createPayloadType } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { DeletedPayload } from '../shared/media-and-status-graphql-types.ts';
import * as inputs from './inputs.ts';
import { createBusiness, deleteBusiness, updateBusiness } from './manage-businesses.ts';
import { createMarket, deleteMarket, updateMarket } from './manage-markets.ts';
import {
  createShippingMethod,
  deleteShippingMethod,
  updateShippingMethod,
} from './manage-shipping-methods.ts';
import { createPromoCode, deletePromoCode, updatePromoCode } from './promo-codes/manage-promo-codes.ts';
import { createPromoCodeSchema, updatePromoCodeSchema } from './promo-codes/schemas.ts';
import * as checks from './schemas.ts';
import { createRole, deleteRole, updateRole } from './staff/manage-roles.ts';
import {
  BusinessGraphqlType,
  MarketGraphqlType,
  PromoCodeGraphqlType,
  RoleGraphqlType,
  ShippingMethodGraphqlType,
} from './types.ts';

const BusinessPayload = createPayloadType('BusinessPayload', 'business', BusinessGraphqlType);
const MarketPayload = createPayloadType('MarketPayload', 'market', MarketGraphqlType);
const ShippingMethodPayload = createPayloadType(
  'ShippingMethodPayload',
  'shippingMethod',
  ShippingMethodGraphqlType,
);
const PromoCodePayload = createPayloadType('PromoCodePayload', 'promoCode', PromoCodeGraphqlType);
const RolePayload = createPayloadType('RolePayload', 'role', RoleGraphqlType);

const adminOfBusiness = (_root: unknown, args: { id: string }) => ({
  permission: { name: 'ADMIN' as const, businessId: args.id, addressed: 'Business' },
});

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id of the record.' });
  const code = t.arg.id({ required: true, description: 'Code of the market, case-insensitive.' });
  const version = t.arg.int({
    description: 'Expected version: fails with PRECONDITION_FAILED when the current version differs.',
  });
  return {
    createBusiness: t.field({
      type: BusinessPayload,
      description: 'Creates a business; the viewer becomes its ADMIN. Needs a confirmed account.',
      authScopes: { confirmed: true },
      args: { ...inputArg(inputs.CreateBusinessInput, 'The business.') },
      ...validatedField(checks.createBusinessSchema, asPayload('business', createBusiness)),
    }),
    updateBusiness: t.field({
      type: BusinessPayload,
      description: 'Updates the given fields of a business. Needs ADMIN.',
      authScopes: adminOfBusiness,
      args: { id, version, ...inputArg(inputs.UpdateBusinessInput, 'Fields to change.') },
      ...validatedField(checks.updateBusinessSchema, asPayload('business', updateBusiness)),
    }),
    deleteBusiness: t.field({
      type: DeletedPayload,
      description: 'Deletes a business with all its records and files.',
      authScopes: adminOfBusiness,
      args: { id, version },
      resolve: (_root, args, ctx) => deleteBusiness(ctx, args),
    }),
    createMarket: t.field({
      type: MarketPayload,
      description: 'Creates a market with its currency and tax. Needs ADMIN.',
      authScopes: permissionInBusinessScope('ADMIN'),
      args: { businessId, ...inputArg(inputs.CreateMarketInput, 'The market.') },
      ...validatedField(checks.createMarketSchema, asPayload('market', createMarket)),
    }),
    updateMarket: t.field({
      type: MarketPayload,
      description: 'Updates the given fields of a market. Needs ADMIN.',
      authScopes: permissionOnRecordScope('ADMIN', 'Market'),
      args: { businessId, code, version, ...inputArg(inputs.UpdateMarketInput, 'Fields to change.') },
      ...validatedField(checks.updateMarketSchema, asPayload('market', updateMarket)),
    }),
    deleteMarket: t.field({
      type: DeletedPayload,
      description: 'Deletes a market, which stops sales there. Existing orders stay.',
      authScopes: permissionOnRecordScope('ADMIN', 'Market'),
      args: { businessId, code, version },
      resolve: (_root, args, ctx) => deleteMarket(ctx, args),
    }),
    createShippingMethod: t.field({
      type: ShippingMethodPayload,
      description: 'Creates a shipping method with its price in each market that it serves. Needs ADMIN.',
      authScopes: permissionInBusinessScope('ADMIN'),
      args: { businessId, ...inputArg(inputs.CreateShippingMethodInput, 'The method.') },
      ...validatedField(checks.createShippingMethodSchema, asPayload('shippingMethod', createShippingMethod)),
    }),
    updateShippingMethod: t.field({
      type: ShippingMethodPayload,
      description: 'Updates the given fields of a shipping method. Needs ADMIN.',
      authScopes: permissionOnRecordScope('ADMIN', 'Shipping method'),
      args: { businessId, id, version, ...inputArg(inputs.UpdateShippingMethodInput, 'Fields to change.') },
      ...validatedField(checks.updateShippingMethodSchema, asPayload('shippingMethod', updateShippingMethod)),
    }),
    deleteShippingMethod: t.field({
      type: DeletedPayload,
      description: 'Deletes a shipping method: new orders cannot use it. Existing orders keep it.',
      authScopes: permissionOnRecordScope('ADMIN', 'Shipping method'),
      args: { businessId, id, version },
      resolve: (_root, args, ctx) => deleteShippingMethod(ctx, args),
    }),
    createPromoCode: t.field({
      type: PromoCodePayload,
      description: 'Creates a promo code, which customers enter at checkout. Needs ADMIN.',
      authScopes: permissionInBusinessScope('ADMIN'),
      args: { businessId, ...inputArg(inputs.CreatePromoCodeInput, 'The promo code.') },
      ...validatedField(createPromoCodeSchema, asPayload('promoCode', createPromoCode)),
    }),
    updatePromoCode: t.field({
      type: PromoCodePayload,
      description: 'Updates the given fields of a promo code. Needs ADMIN.',
      authScopes: permissionOnRecordScope('ADMIN', 'Promo code'),
      args: { businessId, id, version, ...inputArg(inputs.UpdatePromoCodeInput, 'Fields to change.') },
      ...validatedField(updatePromoCodeSchema, asPayload('promoCode', updatePromoCode)),
    }),
    deletePromoCode: t.field({
      type: DeletedPayload,
      description: 'Deletes a promo code: new orders cannot use it. Existing orders keep it.',
      authScopes: permissionOnRecordScope('ADMIN', 'Promo code'),
      args: { businessId, id, version },
      resolve: (_root, args, ctx) => deletePromoCode(ctx, args),
    }),
    createRole: t.field({
      type: RolePayload,
      description: 'Creates a role that can be assigned to members. Needs ADMIN.',
      authScopes: permissionInBusinessScope('ADMIN'),
      args: { businessId, ...inputArg(inputs.CreateRoleInput, 'The role.') },
      ...validatedField(checks.createRoleSchema, asPayload('role', createRole)),
    }),
    updateRole: t.field({
      type: RolePayload,
      description: 'Updates the given fields of a role. Needs ADMIN.',
      authScopes: permissionOnRecordScope('ADMIN', 'Role'),
      args: { businessId, id, version, ...inputArg(inputs.UpdateRoleInput, 'Fields to change.') },
      ...validatedField(checks.updateRoleSchema, asPayload('role', updateRole)),
    }),
    deleteRole: t.field({
      type: DeletedPayload,
      description: 'Deletes a role that is not assigned to any member.',
      authScopes: permissionOnRecordScope('ADMIN', 'Role'),
      args: { businessId, id, version },
      resolve: (_root, args, ctx) => deleteRole(ctx, args),
    }),
  };
});
