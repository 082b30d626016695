/** Samples of the catalogue. */
import { disposableRecordIds } from '../../../src/seed/shop-data.ts';
import { createFixture, type Samples, type World } from '../fixtures.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const product = (world: World) => ({ path: { ...inShop(world), id: world.ids.product ?? '' } });

const teapot = (name: string, sku: string) => ({
  name,
  description: 'Hand-made',
  category: 'tea',
  gallery: [{ id: 'm1', url: 'https://img.example/1.jpg', mimeType: 'image/jpeg', alt: name }],
  variants: [
    {
      name: 'Small',
      sku,
      attributes: [{ name: 'size', value: 'S' }],
      pricing: {
        markets: [
          {
            marketId: 'US',
            currency: 'USD',
            price: 4999,
            compareAtPrice: 5999,
            sale: { amount: 4499, startsAt: 1_700_000_000 },
            tiers: [{ minQuantity: 10, amount: 3999 }],
            groupPrices: [{ groupId: 'wholesale', amount: 3499 }],
          },
        ],
      },
      inventory: { tracked: true, quantity: 30, lowStockThreshold: 1 },
    },
  ],
  blocks: [{ id: 'care', type: 'TEXT', value: { en: 'Dry it', de: null } }],
});

export const domain: Samples = {
  async prepare(t, world) {
    const path = `/v1/businesses/${world.shop.businessId}/products`;
    await createFixture(t, world, 'product', path, teapot('Teapot', 'TEA-1'));
    await createFixture(t, world, 'draft', path, { name: 'Secret', status: 'DRAFT' });
    const made = await t.rest<{ variants: { id: string }[] }>('GET', `${path}/${world.ids.product}`, {
      as: world.shop.admin,
    });
    world.ids.variant = made.body.variants[0]?.id ?? '';
  },
  samples: {
    CreateProduct: (world) => ({ path: inShop(world), body: teapot('Cup', 'CUP-1') }),
    ListProducts: (world) => ({
      path: inShop(world),
      query: { limit: 5, sort: 'PRICE', market: 'US', minPrice: 1000, inStock: true },
    }),
    ProductFacets: (world) => ({ path: inShop(world), query: { market: 'US' } }),
    ProductHighlights: (world) => ({ path: inShop(world), query: { query: 'teapots', sort: 'RELEVANCE' } }),
    Suggest: (world) => ({ path: inShop(world), query: { text: 'tea', limit: 5 } }),
    GetProduct: product,
    UpdateProduct: (world) => ({ ...product(world), body: { name: 'Kettle', status: 'ARCHIVED' } }),
    AdjustStock: (world) => ({
      ...product(world),
      body: { variantId: world.ids.variant ?? '', change: -2, reason: 'Broken' },
    }),
    ListStockMovements: (world) => ({ ...product(world), query: { limit: 5 } }),
    DeleteProduct: product,
  },
  demo: {
    samples: {
      ListProducts: (world) => ({
        path: inShop(world),
        query: { limit: 5, sort: 'PRICE', market: 'US', maxPrice: 3000, inStock: true },
      }),
      ProductHighlights: (world) => ({
        path: inShop(world),
        query: { query: 'esspreso', sort: 'RELEVANCE' },
      }),
      Suggest: (world) => ({ path: inShop(world), query: { text: 'esp', limit: 5 } }),
      UpdateProduct: (world) => ({
        ...product(world),
        body: { description: 'Washed Ethiopian coffee with jasmine, bergamot and a long finish.' },
      }),
      DeleteProduct: (world) => ({ path: { ...inShop(world), id: disposableRecordIds.productId } }),
    },
  },
};
