/** Samples of entries. */
import { given, type Samples, type World } from '../world.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const entry = (world: World) => ({ path: { ...inShop(world), id: world.ids.entry ?? '' } });
const title = (value: unknown) => [{ id: 'title', type: 'TEXT', value }];

export const domain: Samples = {
  async prepare(t, world) {
    const entries = `/v1/businesses/${world.shop.businessId}/entries`;
    await given(t, world, 'entry', entries, {
      collectionId: world.ids.collection,
      locale: 'en',
      blocks: title({ en: 'Hello', de: 'Hallo' }),
      status: 'PUBLISHED',
    });
    await given(t, world, 'letter', entries, {
      collectionId: world.ids.newsletter,
      blocks: title('News'),
      status: 'PUBLISHED',
    });
  },
  samples: {
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
  },
};
