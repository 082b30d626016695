/** Samples of collections. */
import { demoContentIds } from '../../../src/seed/content-data.ts';
import { disposableRecordIds } from '../../../src/seed/shop-data.ts';
import { createFixture, type Samples, type World } from '../fixtures.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const collection = (world: World) => ({ path: { ...inShop(world), id: world.ids.collection ?? '' } });

const blocks = [{ id: 'title', type: 'TEXT', label: 'Title', required: true, settings: { maxLength: 80 } }];

export const domain: Samples = {
  async prepare(t, world) {
    const collections = `/v1/businesses/${world.shop.businessId}/collections`;
    await createFixture(t, world, 'collection', collections, { name: 'Journal', blocks });
    await createFixture(t, world, 'newsletter', collections, {
      name: 'Letters',
      type: 'NEWSLETTER',
      blocks,
      plans: [{ id: 'free', name: 'Free', price: { amount: 0, currency: 'usd', interval: 'MONTHLY' } }],
    });
  },
  samples: {
    CreateCollection: (world) => ({ path: inShop(world), body: { name: 'Recipes', blocks } }),
    ListCollections: (world) => ({ path: inShop(world), query: { limit: 5 } }),
    GetCollection: collection,
    UpdateCollection: (world) => ({ ...collection(world), body: { name: 'Diary' } }),
    DeleteCollection: (world) => ({ ...collection(world), query: { force: true } }),
    GenerateBlocks: (world) => ({
      path: inShop(world),
      body: { prompt: 'A page about tea', blocks: [{ id: 'title', type: 'TEXT' }] },
    }),
  },
  demo: {
    ids: { collection: demoContentIds.blogId, newsletter: demoContentIds.letterId },
    samples: {
      UpdateCollection: (world) => ({
        ...collection(world),
        body: { description: 'Notes on brewing, people and places.' },
      }),
      DeleteCollection: (world) => ({ path: { ...inShop(world), id: disposableRecordIds.collectionId } }),
    },
  },
};
