/** Samples of mail templates. */
import { demoShopIdsAndLogins } from '../../../src/seed/shop-data.ts';
import type { Samples, World } from '../fixtures.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const template = (world: World) => ({ path: { ...inShop(world), kind: 'ORDER_SHIPPED', locale: 'de' } });
const draft = { subject: 'Unterwegs: {{order.number}}' };

export const domain: Samples = {
  samples: {
    ListMailTemplates: (world) => ({ path: inShop(world), query: { kind: 'ORDER_SHIPPED', locale: 'de' } }),
    GetMailTemplate: template,
    UpdateMailTemplate: (world) => ({ ...template(world), body: draft }),
    ResetMailTemplate: template,
    PreviewMailTemplate: (world) => ({ ...template(world), body: draft }),
    SendTestMail: (world) => ({ ...template(world), body: draft }),
  },
  demo: {
    ids: { businessId: demoShopIdsAndLogins.businessId },
  },
};
