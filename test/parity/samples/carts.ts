/** Samples of carts. The guest, the customer and the admin each have one. */
import { demoAddress, disposableRecordIds } from '../../../src/seed/shop-data.ts';
import type { Samples, World } from '../fixtures.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const inCart = (world: World) => ({ path: inShop(world) });
const piece = ({ ids }: World) => ({
  productId: ids.product ?? '',
  variantId: ids.variant ?? '',
  quantity: 1,
});
const line = (world: World) => ({ path: { ...inShop(world), lineId: world.ids.cartLine ?? '' } });
const cart = (world: World) => ({ path: { ...inShop(world), id: world.ids.cart ?? '' } });

const engraving = [{ id: 'engraving', type: 'TEXT', label: 'Engraving', value: 'For Ada' }];
const address = [
  { id: 'shippingAddress', type: 'TEXT', value: { street: 'Main Street 1', city: 'Springfield' } },
];

export const domain: Samples = {
  async prepare(t, world) {
    const path = `/v1/businesses/${world.shop.businessId}/carts`;
    for (const viewer of ['guest', 'customer', 'admin'] as const) {
      const as = world.viewers[viewer];
      await t.rest('POST', path, { as, body: { market: 'US', shippingMethodId: 'standard' } });
      const body = { ...piece(world), blocks: engraving };
      const { status, body: made } = await t.rest<{ id: string; lines: { id: string }[] }>(
        'POST',
        `${path}/me/lines`,
        { as, body },
      );
      if (status !== 200) throw new Error(`No cart for the world: ${JSON.stringify(made)}`);
      world.ids.cart = made.id;
      world.ids.cartLine = made.lines[0]?.id ?? '';
    }
  },
  samples: {
    OpenCart: (world) => ({
      ...inCart(world),
      body: { market: 'US', shippingMethodId: 'standard', promoCode: 'TEN', blocks: address },
    }),
    GetMyCart: inCart,
    GetCart: cart,
    UpdateCart: (world) => ({
      ...inCart(world),
      body: { note: 'Please ring twice.', promoCode: '', shippingAddress: demoAddress },
    }),
    AddCartLine: (world) => ({ ...inCart(world), body: { ...piece(world), blocks: engraving } }),
    UpdateCartLine: (world) => ({ ...line(world), body: { quantity: 3 } }),
    RemoveCartLine: line,
    MergeCart: (world) => ({ ...inCart(world), body: { guestToken: world.viewers.guest?.token ?? '' } }),
    CheckoutCart: (world) => ({
      ...inCart(world),
      body: { paymentMethod: 'CREDIT_CARD', returnUrl: 'http://shop.test/thanks' },
    }),
    DeleteCart: inCart,
  },
  demo: {
    ids: { cart: disposableRecordIds.cartId, cartLine: disposableRecordIds.cartLineId },
    samples: {
      OpenCart: (world) => ({
        ...inCart(world),
        body: { market: 'US', shippingMethodId: 'standard', promoCode: 'WELCOME10', blocks: address },
      }),
      AddCartLine: (world) => ({
        ...inCart(world),
        body: { ...piece(world), quantity: 2, blocks: engraving },
      }),
      RemoveCartLine: (world) => ({ path: { ...inShop(world), lineId: disposableRecordIds.oldCartLineId } }),
      MergeCart: (world) => ({
        ...inCart(world),
        body: { guestToken: '{guestToken}' },
        first: [
          { operationId: 'Login', body: { provider: 'GUEST' }, take: { guestToken: '/accessToken' } },
          { operationId: 'OpenCart', bearer: '{guestToken}' },
          { operationId: 'AddCartLine', bearer: '{guestToken}' },
        ],
      }),
      CheckoutCart: (world) => ({ ...inCart(world), body: { paymentMethod: 'CREDIT_CARD' } }),
    },
  },
};
