/** Samples of collections, entries and newsletters. */
import { unsubscribeToken } from '../../../src/domains/newsletter/tokens.ts';
import { given, type Samples, type World } from '../world.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const record = (name: string) => (world: World) => ({
  path: { ...inShop(world), id: world.ids[name] ?? '' },
});
const collection = record('collection');
const entry = record('entry');
const letter = record('letter');

const schema = [{ id: 'title', type: 'TEXT', label: 'Title', required: true, settings: { maxLength: 80 } }];
const title = (value: unknown) => [{ id: 'title', type: 'TEXT', value }];

export const contentSamples: Samples = {
  async prepare(t, world) {
    const base = `/v1/businesses/${world.shop.businessId}`;
    await given(t, world, 'collection', `${base}/collections`, { name: 'Journal', blocks: schema });
    await given(t, world, 'entry', `${base}/entries`, {
      collectionId: world.ids.collection,
      locale: 'en',
      blocks: title({ en: 'Hello', de: 'Hallo' }),
      status: 'PUBLISHED',
    });
    await given(t, world, 'newsletter', `${base}/collections`, {
      name: 'Letters',
      type: 'NEWSLETTER',
      blocks: schema,
      plans: [{ id: 'free', name: 'Free', price: { amount: 0, currency: 'usd', interval: 'MONTHLY' } }],
    });
    await given(t, world, 'letter', `${base}/entries`, {
      collectionId: world.ids.newsletter,
      blocks: title('News'),
      status: 'PUBLISHED',
    });
    await given(t, world, 'subscription', `${base}/collections/${world.ids.newsletter}/subscribe`, {
      email: 'reader@people.example',
      planId: 'free',
    });
    const { secret } = t.app.services.keys;
    world.ids.unsubscribe = unsubscribeToken(secret, world.shop.businessId, world.ids.subscription ?? '');
  },
  samples: {
    CreateCollection: (world) => ({ path: inShop(world), body: { name: 'Recipes', blocks: schema } }),
    ListCollections: (world) => ({ path: inShop(world), query: { limit: 5 } }),
    GetCollection: collection,
    UpdateCollection: (world) => ({ ...collection(world), body: { name: 'Diary' } }),
    DeleteCollection: (world) => ({ ...collection(world), query: { force: true } }),
    GenerateBlocks: (world) => ({
      path: inShop(world),
      body: { prompt: 'A page about tea', blocks: [{ id: 'title', type: 'TEXT' }] },
    }),
    Subscribe: (world) => ({
      path: { ...inShop(world), collectionId: world.ids.newsletter ?? '' },
      body: { email: 'new-reader@people.example', market: 'US', planId: 'free' },
    }),
    ListSubscribers: record('newsletter'),
    Unsubscribe: (world) => {
      const token = world.ids.unsubscribe;
      return { path: inShop(world), query: { token }, body: { token } };
    },
    CreateEntry: (world) => ({
      path: inShop(world),
      body: { collectionId: world.ids.collection, locale: 'en', blocks: title('Fresh') },
    }),
    ListEntries: (world) => ({
      path: inShop(world),
      query: { limit: 5, collectionId: world.ids.collection },
    }),
    GetEntry: entry,
    UpdateEntry: (world) => ({ ...entry(world), body: { blocks: title('Changed') } }),
    DeleteEntry: entry,
    SendEntry: letter,
    TemplateVariables: () => ({ path: { entryType: 'NEWSLETTER' } }),
  },
};
