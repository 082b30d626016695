/** Samples of categories: a parent with one sub-category. */
import { disposableRecordIds, getDemoCategoryId } from '../../../src/seed/shop-data.ts';
import { createFixture, type Samples, type World } from '../fixtures.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const category = (world: World) => ({ path: { ...inShop(world), id: world.ids.category ?? '' } });
const emptyCategory = (world: World) => ({ path: { ...inShop(world), id: world.ids.emptyCategory ?? '' } });

export const domain: Samples = {
  async prepare(t, world) {
    const base = `/v1/businesses/${world.shop.businessId}/categories`;
    await createFixture(t, world, 'category', base, {
      name: 'Kitchen',
      translations: [{ locale: 'de', name: 'Küche' }],
    });
    await createFixture(t, world, 'emptyCategory', base, { name: 'Pots', parentId: 'kitchen' });
  },
  samples: {
    CreateCategory: (world) => ({
      path: inShop(world),
      body: { name: 'Tea', slug: 'tea', description: 'Loose and in bags.' },
    }),
    ListCategories: (world) => ({ path: inShop(world), query: { limit: 5, locale: 'de' } }),
    GetCategory: (world) => ({ ...category(world), query: { locale: 'de' } }),
    ListCategoryProducts: (world) => ({ ...category(world), query: { limit: 2 } }),
    UpdateCategory: (world) => ({ ...category(world), body: { name: 'Kitchenware' } }),
    DeleteCategory: emptyCategory,
  },
  demo: {
    ids: { category: getDemoCategoryId('equipment') },
    samples: {
      UpdateCategory: (world) => ({ ...category(world), body: { description: 'For brewing and serving.' } }),
      DeleteCategory: (world) => ({ path: { ...inShop(world), id: disposableRecordIds.categorySlug } }),
    },
  },
};
