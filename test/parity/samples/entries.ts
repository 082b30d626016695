/** Samples of entries. */
import { buildSeedId, disposableRecordIds } from '../../../src/seed/shop-data.ts';
import { createFixture, type Samples, type World } from '../fixtures.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const entry = (world: World) => ({ path: { ...inShop(world), id: world.ids.entry ?? '' } });
/** The demo shop has a draft of this entry. */
const prepared = (world: World) => ({ path: { ...inShop(world), id: buildSeedId(7, 2) } });
const text = (id: string, value: unknown) => ({ id, type: 'TEXT', value });
const title = (value: unknown) => [text('title', value)];
const article = (heading: string, slug: string, body: string) => [
  ...title(heading),
  text('slug', slug),
  text('body', body),
];

export const domain: Samples = {
  async prepare(t, world) {
    const entries = `/v1/businesses/${world.shop.businessId}/entries`;
    await createFixture(t, world, 'entry', entries, {
      collectionId: world.ids.collection,
      locale: 'en',
      blocks: title({ en: 'Hello', de: 'Hallo' }),
      status: 'PUBLISHED',
    });
    await createFixture(t, world, 'letter', entries, {
      collectionId: world.ids.newsletter,
      blocks: title('News'),
      status: 'PUBLISHED',
    });
    const as = world.shop.admin;
    const address = `${entries}/${world.ids.entry}`;
    await t.rest('PUT', `${address}/draft`, { as, body: { blocks: title('Prepared') } });
    const preview = await t.rest<{ token: string }>('POST', `${address}/previews`, {
      as,
      body: { expiresIn: 86_400 },
    });
    world.ids.preview = preview.body.token;
  },
  samples: {
    CreateEntry: (world) => ({
      path: inShop(world),
      body: { collectionId: world.ids.collection, locale: 'en', blocks: title('Fresh') },
    }),
    ListEntries: (world) => ({
      path: inShop(world),
      query: {
        limit: 5,
        collectionId: world.ids.collection,
        sort: 'BLOCK_DESC',
        sortBlock: 'title',
        createdFrom: 1,
        inLocales: ['fr', 'de'],
      },
    }),
    GetEntry: (world) => ({ ...entry(world), query: { locale: ['de', 'en'] } }),
    UpdateEntry: (world) => ({ ...entry(world), body: { blocks: title('Changed') } }),
    ScheduleEntry: (world) => ({ ...entry(world), body: { publishAt: 1 } }),
    ListEntryVersions: entry,
    CompareEntryVersions: (world) => ({ ...entry(world), query: { from: 1 } }),
    RestoreEntry: (world) => ({ ...entry(world), body: { from: 1 } }),
    DuplicateEntry: entry,
    SetEntryStatuses: (world) => ({
      path: inShop(world),
      body: { ids: [world.ids.entry], status: 'DRAFT' },
    }),
    GetEntryDraft: entry,
    SaveEntryDraft: (world) => ({ ...entry(world), body: { blocks: title('Better') } }),
    DiscardEntryDraft: entry,
    PublishEntryDraft: (world) => ({ ...entry(world), body: { draftVersion: 1 } }),
    CreateEntryPreview: (world) => ({ ...entry(world), body: { expiresIn: 3600 } }),
    GetEntryPreview: (world) => ({ path: { ...inShop(world), token: world.ids.preview ?? '' } }),
    DeleteEntry: entry,
  },
  demo: {
    ids: { entry: buildSeedId(7, 1), letter: buildSeedId(7, 4) },
    samples: {
      CreateEntry: (world) => ({
        path: inShop(world),
        body: {
          collectionId: world.ids.collection,
          locale: 'en',
          blocks: article('Cold brew at home', 'cold-brew-at-home', '<p>Twelve hours in the fridge.</p>'),
        },
      }),
      UpdateEntry: (world) => ({
        ...entry(world),
        body: {
          blocks: article(
            'A pour-over for beginners',
            'pour-over-for-beginners',
            '<p>Rinse the paper first.</p>',
          ),
        },
      }),
      GetEntryDraft: prepared,
      PublishEntryDraft: (world) => ({ ...prepared(world), body: { draftVersion: 1 } }),
      SaveEntryDraft: (world) => ({
        ...entry(world),
        body: { blocks: article('A pour-over for all', 'pour-over-for-all', '<p>Rinse the paper.</p>') },
      }),
      GetEntryPreview: (world) => ({
        path: { ...inShop(world), token: '{token}' },
        first: [{ operationId: 'CreateEntryPreview', take: { token: '/token' } }],
      }),
      DeleteEntry: (world) => ({ path: { ...inShop(world), id: disposableRecordIds.entryId } }),
    },
  },
};
