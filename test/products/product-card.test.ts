/** Fields of a product card: image, options, variant by options, price ranges, availability, notices to staff. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../support/app.ts';
import { createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';
import { create, guest, t } from './setup.ts';

let selling: SellingShop;

const priced = (price: number, more: object = {}) => ({
  markets: [{ marketId: 'US', currency: 'USD', price, ...more }],
});
const option = (name: string, value: string) => ({ name, value });
const image = (name: string) => ({ url: `https://cdn.example/${name}.webp`, mimeType: 'image/webp' });

beforeAll(async () => {
  selling = await createSellingShop(t);
});

interface Range {
  min: { amount: number; currency: string };
  max: { amount: number };
}

interface Card {
  name: string;
  featuredImage: { url: string } | null;
  options: { name: string; values: string[] }[];
  priceRange: Range | null;
  compareAtPriceRange: Range | null;
  availableForSale: boolean;
  anywhere: boolean;
  variant: { name: string; inStock: boolean } | null;
  notices: { code: string; message: string }[];
}

const cardFields = `name featuredImage { url } options { name values }
  priceRange(market: $m) { min { amount currency } max { amount } }
  compareAtPriceRange(market: $m) { min { amount currency } max { amount } }
  availableForSale(market: $m) anywhere: availableForSale
  variant(selectedOptions: $o) { name inStock } notices { code message }`;

async function cardOf(
  productId: string,
  {
    as = guest,
    market = 'us',
    options = [] as object[],
  }: { as?: Person; market?: string; options?: object[] } = {},
): Promise<Card> {
  const query = `query ($b: ID!, $id: ID!, $m: ID!, $o: [SelectedOptionInput!]!) {
    product(businessId: $b, id: $id) { ${cardFields} } }`;
  const variables = { b: selling.businessId, id: productId, m: market, o: options };
  // Interpreted at first, compiled from the third run on; every run must return the same response.
  const first = await t.graphql(query, variables, { as });
  expect(first.errors).toEqual([]);
  for (let run = 0; run < 3; run += 1)
    expect((await t.graphql(query, variables, { as })).data).toEqual(first.data);
  return (first.data as unknown as { product: Card }).product;
}

const shirt = {
  name: 'Shirt',
  variants: [
    {
      name: 'Red M',
      attributes: [option('colour', 'red'), option('size', 'M')],
      pricing: priced(2000, { compareAtPrice: 2500 }),
      inventory: { quantity: 0 },
    },
    {
      name: 'Blue M',
      attributes: [option('colour', 'blue'), option('size', 'M')],
      pricing: priced(3000, { sale: { amount: 1800 } }),
      inventory: { quantity: 2 },
      gallery: [image('blue')],
    },
    {
      name: 'Blue L',
      attributes: [option('colour', 'blue'), option('size', 'L')],
      pricing: priced(2200),
    },
  ],
};

describe('a product card', () => {
  it('has image, options and prices of all variants', async () => {
    const { id } = await create(shirt, selling);
    const card = await cardOf(id, { options: [option('size', 'M'), option('colour', 'blue')] });
    expect(card).toEqual({
      name: 'Shirt',
      featuredImage: { url: 'https://cdn.example/blue.webp' },
      options: [
        { name: 'colour', values: ['red', 'blue'] },
        { name: 'size', values: ['M', 'L'] },
      ],
      priceRange: { min: { amount: 1800, currency: 'USD' }, max: { amount: 2200 } },
      compareAtPriceRange: { min: { amount: 2500, currency: 'USD' }, max: { amount: 3000 } },
      availableForSale: true,
      anywhere: true,
      variant: { name: 'Blue M', inStock: true },
      notices: [],
    });
    expect((await cardOf(id, { options: [option('size', 'M')] })).variant).toEqual({
      name: 'Red M',
      inStock: false,
    });
    expect((await cardOf(id, { options: [option('size', 'XL')] })).variant).toBeNull();
  });

  it('has the current price of each variant, and the price before its reduction', async () => {
    const { id } = await create({ ...shirt, name: 'Reduced' }, selling);
    const query = `query ($b: ID!, $id: ID!, $m: ID!) { product(businessId: $b, id: $id) {
      variants { name price(market: $m) { amount } compareAtPrice(market: $m) { amount currency } } } }`;
    const variants = async (m: string) =>
      (await t.graphql(query, { b: selling.businessId, id, m }, { as: guest })).data?.product;
    expect(await variants('us')).toEqual({
      variants: [
        { name: 'Red M', price: { amount: 2000 }, compareAtPrice: { amount: 2500, currency: 'USD' } },
        { name: 'Blue M', price: { amount: 1800 }, compareAtPrice: { amount: 3000, currency: 'USD' } },
        { name: 'Blue L', price: { amount: 2200 }, compareAtPrice: null },
      ],
    });
    expect(await variants('MARS')).toMatchObject({
      variants: [{ price: null, compareAtPrice: null }, {}, {}],
    });
  });

  it('prefers an image of the product to one of a variant, and skips other media', async () => {
    const film = { url: 'https://cdn.example/film.mp4', mimeType: 'video/mp4' };
    const { id } = await create({ ...shirt, name: 'Pictured', gallery: [film, image('front')] }, selling);
    expect((await cardOf(id)).featuredImage).toEqual({ url: 'https://cdn.example/front.webp' });
  });

  it('has no prices in a market without a price, without such a market, or in another currency', async () => {
    const { id } = await create({ ...shirt, name: 'American' }, selling);
    for (const market of ['EU', 'MARS'])
      expect(await cardOf(id, { market })).toMatchObject({
        priceRange: null,
        compareAtPriceRange: null,
        availableForSale: false,
        anywhere: true,
      });
    const pricing = { markets: [{ marketId: 'EU', currency: 'USD', price: 100 }] };
    const wrong = await create({ name: 'Dollars in the EU', variants: [{ pricing }] }, selling);
    expect(await cardOf(wrong.id, { market: 'EU' })).toMatchObject({
      priceRange: null,
      availableForSale: false,
      anywhere: false,
    });
  });
});

describe('a product that customers cannot buy', () => {
  it.each([
    ['NO_VARIANTS', {}],
    ['NO_PRICE', { variants: [{ name: 'Unpriced' }] }],
    [
      'NO_PRICE',
      { variants: [{ pricing: { markets: [{ marketId: 'MARS', currency: 'USD', price: 100 }] } }] },
    ],
    ['OUT_OF_STOCK', { variants: [{ pricing: priced(100), inventory: { quantity: 0 } }] }],
  ])('is not available for sale, and staff see the notice %s', async (code, content) => {
    const { id } = await create({ name: 'Unsold', ...content }, selling);
    const card = await cardOf(id, { as: selling.admin });
    expect(card).toMatchObject({ availableForSale: false, anywhere: false, notices: [{ code }] });
    expect(card.notices[0]?.message).toMatch(/customers cannot buy/);
    expect(await cardOf(id)).toMatchObject({ anywhere: false, notices: [] });
  });

  it('needs no notice as a draft', async () => {
    const { id } = await create({ ...shirt, name: 'Draft', status: 'DRAFT' }, selling);
    expect(await cardOf(id, { as: selling.admin })).toMatchObject({
      availableForSale: false,
      anywhere: false,
      notices: [],
    });
  });
});

describe('a list of product cards', () => {
  it('takes a constant number of SQL statements for any length', async () => {
    const shop = await createSellingShop(t);
    for (let n = 0; n < 20; n += 1) await create({ ...shirt, name: `Shirt ${n}` }, shop);
    const query = `query ($b: ID!, $n: Int, $m: ID!, $o: [SelectedOptionInput!]!) {
      products(businessId: $b, first: $n) { nodes { ${cardFields} } } }`;
    const count = async (n: number, as: Person) => {
      let most = 0;
      for (let run = 0; run < 5; run += 1) {
        t.statements.length = 0;
        const variables = { b: shop.businessId, n, m: 'US', o: [] };
        const { data, errors } = await t.graphql(query, variables, { as });
        expect(errors).toEqual([]);
        expect((data as unknown as { products: { nodes: Card[] } }).products.nodes).toHaveLength(n);
        most = Math.max(most, t.statements.length);
      }
      return most;
    };
    expect([await count(1, guest), await count(20, guest)]).toEqual([3, 3]);
    const ofStaff = await count(1, shop.admin);
    expect(await count(20, shop.admin)).toBe(ofStaff);
  });
});
