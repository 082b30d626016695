/** Samples of branding. */
import { demoShopIdsAndLogins } from '../../../src/seed/shop-data.ts';
import type { Samples, World } from '../fixtures.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });

export const domain: Samples = {
  samples: {
    GetBranding: (world) => ({ path: inShop(world) }),
    UpdateBranding: (world) => ({
      path: inShop(world),
      body: { accent: '#0D6B66', background: '#f4f1ea', replyTo: 'hello@shop.example' },
    }),
  },
  demo: {
    ids: { businessId: demoShopIdsAndLogins.businessId },
  },
};
