/** Content of the demo shop: a blog in two languages and a weekly newsletter. */
import type { ValueBlock } from '../domains/blocks/validate-blocks.ts';
import type { CollectionDocument } from '../domains/collections/model.ts';
import { createDemoPictureMedia } from './pictures.ts';
import { buildSeedId, demoShopIdsAndLogins } from './shop-data.ts';

export const demoContentIds = { blogId: buildSeedId(6, 1), letterId: buildSeedId(6, 2) } as const;

interface DemoCollection extends CollectionDocument {
  id: string;
  name: string;
  slug: string;
  type: string;
}

export const demoCollections: DemoCollection[] = [
  {
    id: demoContentIds.blogId,
    name: 'Journal',
    slug: 'journal',
    type: 'STANDARD',
    description: 'Notes on brewing, people and places.',
    blocks: [
      { id: 'title', type: 'TEXT', label: 'Title', required: true, settings: { maxLength: 120 } },
      { id: 'slug', type: 'TEXT', label: 'Address', required: true, settings: { maxLength: 120 } },
      { id: 'summary', type: 'TEXT', label: 'Summary', settings: { maxLength: 300 } },
      { id: 'body', type: 'TEXT', label: 'Body', required: true, settings: { variant: 'HTML' } },
      { id: 'cover', type: 'MEDIA', label: 'Cover' },
      { id: 'author', type: 'RELATIONSHIP', label: 'Author', settings: { targetType: 'USER' } },
      { id: 'product', type: 'RELATIONSHIP', label: 'Product', settings: { targetType: 'PRODUCT' } },
      { id: 'publishedAt', type: 'DATE', label: 'Published' },
      { id: 'minutes', type: 'NUMBER', label: 'Minutes to read' },
      { id: 'featured', type: 'BOOLEAN', label: 'Featured' },
      { id: 'topic', type: 'SELECT', label: 'Topic', settings: { options: ['brewing', 'origin', 'people'] } },
      {
        id: 'tags',
        type: 'MULTI_SELECT',
        label: 'Tags',
        settings: { options: ['filter', 'espresso', 'travel'] },
      },
      { id: 'place', type: 'GEO_LOCATION', label: 'Place' },
    ],
    plans: [],
    doubleOptIn: false,
  },
  {
    id: demoContentIds.letterId,
    name: 'The Weekly Cup',
    slug: 'weekly-cup',
    type: 'NEWSLETTER',
    description: 'One letter a week about what is in the cup.',
    blocks: [
      { id: 'subject', type: 'TEXT', label: 'Subject', required: true, settings: { maxLength: 150 } },
      { id: 'title', type: 'TEXT', label: 'Title', required: true, settings: { maxLength: 150 } },
      { id: 'body', type: 'TEXT', label: 'Body', required: true, settings: { variant: 'HTML' } },
    ],
    doubleOptIn: false,
    plans: [
      {
        id: 'reader',
        name: 'Reader',
        description: 'The letter, every Sunday.',
        price: { amount: 0, currency: 'usd', interval: 'MONTHLY' },
        features: ['Weekly letter'],
      },
      {
        id: 'supporter',
        name: 'Supporter',
        description: 'The letter, and a say in what we roast next.',
        price: { amount: 500, currency: 'usd', interval: 'MONTHLY' },
        features: ['Weekly letter', 'Tasting notes before anybody else', 'A vote on the next lot'],
      },
      {
        id: 'patron',
        name: 'Patron',
        description: 'A whole year of support at once.',
        price: { amount: 5000, currency: 'usd', interval: 'YEARLY' },
        features: ['Everything supporters get', 'A bag of the first lot'],
      },
    ],
  },
];

type Locales = Record<'en' | 'de', string>;

interface DemoEntry {
  collectionId: string;
  status: 'PUBLISHED' | 'DRAFT';
  blocks: ValueBlock[];
  /** Title in the draft of the next version, which only staff see. */
  nextTitle?: Locales;
}

const text = (id: string, value: Locales | string): ValueBlock => ({ id, type: 'TEXT', value });

const cover = (publicUrl: string, number: number, name: string): ValueBlock => ({
  id: 'cover',
  type: 'MEDIA',
  value: createDemoPictureMedia(publicUrl, buildSeedId(8, number), name),
});

const author: ValueBlock = {
  id: 'author',
  type: 'RELATIONSHIP',
  target: 'USER',
  value: demoShopIdsAndLogins.adminId,
};
const relatedProduct = (product: number): ValueBlock => ({
  id: 'product',
  type: 'RELATIONSHIP',
  target: 'PRODUCT',
  value: buildSeedId(3, product),
});

/** Lists are newest first, so the last entry here is the first in a list. Image URLs start with `publicUrl`. */
export const createDemoEntries = (publicUrl: string): DemoEntry[] => [
  {
    collectionId: demoContentIds.blogId,
    status: 'PUBLISHED',
    blocks: [
      text('title', { en: 'A pour-over for beginners', de: 'Filterkaffee für den Anfang' }),
      text('slug', { en: 'pour-over-for-beginners', de: 'filterkaffee-fuer-den-anfang' }),
      text('summary', {
        en: 'Fifteen grams, two hundred and fifty of water, three minutes.',
        de: 'Fünfzehn Gramm, zweihundertfünfzig Wasser, drei Minuten.',
      }),
      text('body', {
        en: '<p>Rinse the paper. Pour <strong>forty grams</strong> and wait half a minute. Then pour the rest in circles.</p>',
        de: '<p>Papier spülen. <strong>Vierzig Gramm</strong> aufgießen und eine halbe Minute warten. Dann den Rest in Kreisen.</p>',
      }),
      cover(publicUrl, 1, 'pour-over-dripper'),
      author,
      relatedProduct(6),
      { id: 'publishedAt', type: 'DATE', value: 1_736_121_600 },
      { id: 'minutes', type: 'NUMBER', value: 3 },
      { id: 'featured', type: 'BOOLEAN', value: false },
      { id: 'topic', type: 'SELECT', value: 'brewing' },
      { id: 'tags', type: 'MULTI_SELECT', value: ['filter'] },
    ],
  },
  {
    collectionId: demoContentIds.blogId,
    status: 'PUBLISHED',
    nextTitle: { en: 'Two weeks in Konga', de: 'Zwei Wochen in Konga' },
    blocks: [
      text('title', { en: 'A week in Konga', de: 'Eine Woche in Konga' }),
      text('slug', { en: 'a-week-in-konga', de: 'eine-woche-in-konga' }),
      text('summary', {
        en: 'Where our Yirgacheffe grows, and who picks it.',
        de: 'Wo unser Yirgacheffe wächst, und wer ihn pflückt.',
      }),
      text('body', {
        en: '<p>The washing station opens before sunrise. By noon the first cherries are on the raised beds.</p>',
        de: '<p>Die Waschstation öffnet vor Sonnenaufgang. Am Mittag liegen die ersten Kirschen auf den Betten.</p>',
      }),
      cover(publicUrl, 2, 'konga'),
      author,
      relatedProduct(1),
      { id: 'publishedAt', type: 'DATE', value: 1_737_331_200 },
      { id: 'minutes', type: 'NUMBER', value: 6 },
      { id: 'featured', type: 'BOOLEAN', value: true },
      { id: 'topic', type: 'SELECT', value: 'origin' },
      { id: 'tags', type: 'MULTI_SELECT', value: ['travel', 'filter'] },
      { id: 'place', type: 'GEO_LOCATION', value: { latitude: 6.16, longitude: 38.21 } },
    ],
  },
  {
    collectionId: demoContentIds.blogId,
    status: 'DRAFT',
    blocks: [
      text('title', { en: 'Ten years', de: 'Zehn Jahre' }),
      text('slug', { en: 'ten-years', de: 'zehn-jahre' }),
      text('body', { en: '<p>Not announced yet.</p>', de: '<p>Noch geheim.</p>' }),
      relatedProduct(13),
      { id: 'topic', type: 'SELECT', value: 'people' },
    ],
  },
  {
    collectionId: demoContentIds.letterId,
    status: 'PUBLISHED',
    blocks: [
      text('subject', 'Fresh this week, {{subscriberName}}'),
      text('title', 'What is in the cup this week'),
      text(
        'body',
        '<p>Konga is back, and the kettle is on sale.</p><p>Yours,<br />{{businessName}}</p><p><a href="{{unsubscribeUrl}}">No more letters</a></p>',
      ),
    ],
  },
];
