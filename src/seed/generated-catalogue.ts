/** Seeds a catalogue of any size with generated products, for load and paging tests. */
import type { Db } from '../db/handles.ts';
import { insertSeedProducts, type SeedProduct } from './insert-products.ts';
import { buildSeedId } from './shop-data.ts';

const batchSize = 1000;
const categories = ['coffee', 'brewing', 'cups', 'classes', 'gifts'];

export async function seedGeneratedCatalogue(
  db: Db,
  businessId: string,
  count: number,
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  for (let start = 0; start < count; start += batchSize) {
    const size = Math.min(batchSize, count - start);
    await insertSeedProducts(
      db,
      businessId,
      Array.from({ length: size }, (_item, index) => catalogueProduct(start + index + 1)),
    );
    onProgress(start + size);
  }
}

/** Typical product: three variants with two market prices each. */
function catalogueProduct(number: number): SeedProduct {
  return {
    id: buildSeedId(0x100, number),
    name: `Sample ${number}`,
    slug: `sample-${number}`,
    category: categories[number % categories.length] ?? 'coffee',
    description: `Number ${number} of a large catalogue, with a description as long as shops tend to write them: what it is made of, how it is used, and why somebody would want it.`,
    status: 'ACTIVE',
    gallery: [
      {
        id: buildSeedId(0x102, number),
        url: `https://images.demo.example/sample-${number}.jpg`,
        mimeType: 'image/jpeg',
      },
    ],
    createdAt: 1_735_689_600 + number,
    variants: ['Small', 'Medium', 'Large'].map((name, index) => ({
      id: buildSeedId(0x101, number * 3 + index),
      name,
      sku: `SAMPLE-${number}-${index + 1}`,
      attributes: [{ name: 'size', value: name.toLowerCase() }],
      pricing: {
        markets: [
          { marketId: 'US', currency: 'USD', price: 1000 + ((number * 7 + index * 250) % 9000) },
          { marketId: 'EU', currency: 'EUR', price: 900 + ((number * 7 + index * 230) % 8100) },
        ],
      },
      inventory: { tracked: true, quantity: 50 + (number % 100), lowStockThreshold: 10 },
    })),
  };
}
