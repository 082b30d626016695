/** Samples of quotes and checkout. */
import { demoAddress } from '../../../src/seed/shop-data.ts';
import type { Samples, World } from '../fixtures.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const line = ({ ids }: World) => ({
  productId: ids.product ?? '',
  variantId: ids.variant ?? '',
  quantity: 1,
});

export const domain: Samples = {
  samples: {
    Quote: (world) => ({
      body: {
        ...inShop(world),
        market: 'US',
        currency: 'USD',
        lines: [{ type: 'PRODUCT_VARIANT', ...line(world) }],
        shippingMethodId: 'standard',
        promoCode: 'TEN',
      },
    }),
    Checkout: (world) => ({
      path: inShop(world),
      body: {
        market: 'US',
        paymentMethod: 'CREDIT_CARD',
        shippingMethodId: 'standard',
        items: [line(world)],
        promoCode: 'TEN',
        shippingAddress: demoAddress,
        returnUrl: 'http://shop.test/thanks',
      },
    }),
  },
  demo: {
    samples: {
      Quote: (world) => ({
        as: 'guest',
        body: {
          ...inShop(world),
          market: 'US',
          currency: 'USD',
          lines: [{ type: 'PRODUCT_VARIANT', ...line(world), quantity: 2 }],
          shippingMethodId: 'standard',
          promoCode: 'WELCOME10',
        },
      }),
      Checkout: (world) => ({
        as: 'guest',
        path: inShop(world),
        body: {
          market: 'US',
          paymentMethod: 'CREDIT_CARD',
          shippingMethodId: 'standard',
          items: [{ ...line(world), quantity: 2 }],
          promoCode: 'WELCOME10',
          shippingAddress: demoAddress,
        },
      }),
    },
  },
};
