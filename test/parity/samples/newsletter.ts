/** Samples of newsletters. */
import { unsubscribeToken } from '../../../src/domains/newsletter/tokens.ts';
import { given, type Samples, type World } from '../world.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const record = (name: string) => (world: World) => ({
  path: { ...inShop(world), id: world.ids[name] ?? '' },
});

export const domain: Samples = {
  async prepare(t, world) {
    const collections = `/v1/businesses/${world.shop.businessId}/collections`;
    await given(t, world, 'subscription', `${collections}/${world.ids.newsletter}/subscribe`, {
      email: 'reader@people.example',
      planId: 'free',
    });
    const { secret } = t.app.services.keys;
    world.ids.unsubscribe = unsubscribeToken(secret, world.shop.businessId, world.ids.subscription ?? '');
  },
  samples: {
    Subscribe: (world) => ({
      path: { ...inShop(world), collectionId: world.ids.newsletter ?? '' },
      body: { email: 'new-reader@people.example', market: 'US', planId: 'free' },
    }),
    ListSubscribers: record('newsletter'),
    Unsubscribe: (world) => {
      const token = world.ids.unsubscribe;
      return { path: inShop(world), query: { token }, body: { token } };
    },
    SendEntry: record('letter'),
    TemplateVariables: () => ({ path: { entryType: 'NEWSLETTER' } }),
  },
  demo: {
    samples: {
      Subscribe: (world) => ({
        as: 'guest',
        path: { ...inShop(world), collectionId: world.ids.newsletter ?? '' },
        body: { email: 'ada@people.example', market: 'US', planId: 'reader' },
      }),
      Unsubscribe: (world) => ({
        path: inShop(world),
        query: { token: 'from-a-mail' },
        body: { token: 'from-a-mail' },
        refused: {
          status: 422,
          because: 'The token is in the mail: send a letter, then look into the outbox.',
        },
      }),
    },
  },
};
