/** Samples of businesses and their configuration. */
import { buildSeedId, disposableRecordIds } from '../../../src/seed/shop-data.ts';
import { createFixture, type Samples, type World } from '../fixtures.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const asBusiness = ({ shop }: World) => ({ path: { id: shop.businessId } });
const market = (world: World) => ({ path: { ...inShop(world), code: 'US' } });
const method = (world: World) => ({ path: { ...inShop(world), id: 'standard' } });
const promo = (world: World) => ({ path: { ...inShop(world), id: world.ids.promo ?? '' } });
const role = (world: World) => ({ path: { ...inShop(world), id: world.ids.role ?? '' } });
const all = (world: World) => ({ path: inShop(world), query: { limit: 2 } });

export const domain: Samples = {
  async prepare(t, world) {
    const base = `/v1/businesses/${world.shop.businessId}`;
    await createFixture(t, world, 'market', `${base}/markets`, { code: 'US', currency: 'USD', taxBps: 825 });
    await createFixture(t, world, 'method', `${base}/shipping-methods`, {
      id: 'standard',
      name: 'Standard',
      prices: [{ marketId: 'US', price: 590, freeAbove: 7500 }],
    });
    await createFixture(t, world, 'promo', `${base}/promo-codes`, {
      code: 'TEN',
      type: 'PERCENTAGE',
      bps: 1000,
    });
    await createFixture(t, world, 'role', `${base}/roles`, { name: 'CLERK', permissions: ['ORDERS_READ'] });
  },
  samples: {
    CreateBusiness: () => ({ body: { name: 'Another shop' } }),
    ListBusinesses: () => ({ query: { limit: 2 } }),
    GetBusiness: asBusiness,
    UpdateBusiness: (world) => ({ ...asBusiness(world), body: { name: 'Renamed' } }),
    DeleteBusiness: asBusiness,

    CreateMarket: (world) => ({
      path: inShop(world),
      body: { code: 'EU', currency: 'EUR', taxBps: 2000, taxRates: [{ category: 'tea', taxBps: 700 }] },
    }),
    ListMarkets: all,
    GetMarket: market,
    UpdateMarket: (world) => ({
      ...market(world),
      body: { taxBps: 900, taxRates: [{ category: 'tea', taxBps: 0 }] },
    }),
    DeleteMarket: market,

    CreateShippingMethod: (world) => ({
      path: inShop(world),
      body: { id: 'express', name: 'Express', prices: [{ marketId: 'US', price: 1990 }] },
    }),
    ListShippingMethods: all,
    GetShippingMethod: method,
    UpdateShippingMethod: (world) => ({ ...method(world), body: { name: 'Slow' } }),
    DeleteShippingMethod: method,

    CreatePromoCode: (world) => ({
      path: inShop(world),
      body: { code: 'FIVE', type: 'FIXED', amount: 500, currency: 'USD' },
    }),
    ListPromoCodes: all,
    GetPromoCode: promo,
    UpdatePromoCode: (world) => ({ ...promo(world), body: { bps: 1500 } }),
    DeletePromoCode: promo,

    CreateRole: (world) => ({
      path: inShop(world),
      body: { name: 'BUYER', permissions: ['PRODUCTS_WRITE'] },
    }),
    ListRoles: all,
    GetRole: role,
    UpdateRole: (world) => ({ ...role(world), body: { permissions: ['ORDERS_READ', 'ORDERS_WRITE'] } }),
    DeleteRole: role,
  },
  demo: {
    ids: { promo: buildSeedId(2, 1), role: disposableRecordIds.clerkRoleId },
    samples: {
      UpdateBusiness: (world) => ({ ...asBusiness(world), body: { name: 'Demo Coffee' } }),
      DeleteBusiness: () => ({ path: { id: disposableRecordIds.businessId } }),
      CreateMarket: (world) => ({
        path: inShop(world),
        body: { code: 'UK', currency: 'GBP', taxBps: 2000 },
      }),
      UpdateMarket: (world) => ({ ...market(world), body: { taxBps: 825 } }),
      DeleteMarket: (world) => ({ path: { ...inShop(world), code: disposableRecordIds.marketCode } }),
      CreateShippingMethod: (world) => ({
        path: inShop(world),
        body: { id: 'courier', name: 'Courier', prices: [{ marketId: 'US', price: 2990 }] },
      }),
      UpdateShippingMethod: (world) => ({ ...method(world), body: { name: 'Standard' } }),
      DeleteShippingMethod: (world) => ({
        path: { ...inShop(world), id: disposableRecordIds.shippingMethodId },
      }),
      UpdatePromoCode: (world) => ({ ...promo(world), body: { bps: 1000 } }),
      DeletePromoCode: (world) => ({ path: { ...inShop(world), id: disposableRecordIds.promoCodeId } }),
      DeleteRole: (world) => ({ path: { ...inShop(world), id: disposableRecordIds.internRoleId } }),
    },
  },
};
