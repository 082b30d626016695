/** Puts the demo business into a database. Running it again changes nothing. */

import { hashPassword } from '../auth/passwords.ts';
import { loadGatewaySecret } from '../auth/signing-key-store.ts';
import { classifyDbError } from '../db/errors.ts';
import type { Db } from '../db/handles.ts';
import { slugify } from '../lib/text/slug.ts';
import type { MediaStore } from '../ports/media.ts';
import { createSecretCipher } from '../secret-encryption.ts';
import { seedContent } from './content.ts';
import { seedDisposableExamples } from './disposable-examples.ts';
import { insertProducts, type SeedProduct } from './insert-products.ts';
import { seedPhones } from './phones.ts';
import { demoPictureMedia } from './pictures.ts';
import { type DemoVariant, demoProducts } from './products-data.ts';
import { seedBusiness, seedConfiguration, seedPeople } from './shop.ts';
import { demo, seedId, wholesaleGroup } from './shop-data.ts';
import { photographedProductSlug, seedPhoto, storePhoto, uploadedPhotoMedia } from './uploaded-photo.ts';
import { seedWebhooks } from './webhooks.ts';

/** The day the demo shop opened. */
const opened = 1_735_689_600;

/**
 * Returns false when the demo business is there already, or was deleted and left something behind. Its pictures are at
 * `publicUrl`; one of them is an uploaded file, where there is a store to keep it in. `secretsKeys` open the gateway's secret.
 */
export async function seedDemo(
  db: Db,
  publicUrl = 'http://localhost:4000',
  openStore?: () => Promise<MediaStore>,
  secretsKeys: readonly Uint8Array[] = [],
): Promise<boolean> {
  // Most starts find it, and should not wait for a password to be hashed.
  const [found] = await db.sql('select 1 from businesses where id = $1', [demo.businessId]);
  if (found) return false;
  const photoKept = openStore?.().then(storePhoto);
  const secrets = createSecretCipher(secretsKeys);
  const kept = [hashPassword(demo.password), loadGatewaySecret(db, secrets), photoKept] as const;
  const [password, secret] = await Promise.all(kept);
  const seeding = db.transaction(async (tx) => {
    if (!(await seedBusiness(tx, opened))) return false;
    await seedPeople(tx, opened, password);
    await seedConfiguration(tx, opened);
    if (photoKept) await seedPhoto(tx, opened);
    await insertProducts(
      tx,
      demo.businessId,
      demoProducts.map((item, index) => toProduct(item, index, publicUrl, photoKept !== undefined)),
    );
    await seedContent(tx, opened, publicUrl);
    await seedDisposableExamples(tx, opened, publicUrl);
    await seedPhones(tx, secret);
    await seedWebhooks(tx, opened, { secret, sealing: secrets.isEnabled });
    return true;
  });
  return seeding.catch((error: unknown) => {
    // Something of it is left, of a demo that was deleted: nobody wants that back, and the gateway starts without it.
    if (classifyDbError(error)?.kind !== 'unique') throw error;
    return false;
  });
}

function toProduct(
  item: (typeof demoProducts)[number],
  index: number,
  publicUrl: string,
  hasPhoto: boolean,
): SeedProduct {
  const slug = slugify(item.name);
  const pictureId = seedId(5, index + 1);
  return {
    id: seedId(3, index + 1),
    name: item.name,
    slug,
    category: item.category,
    description: item.description,
    status: item.status ?? 'ACTIVE',
    gallery: [
      hasPhoto && slug === photographedProductSlug
        ? uploadedPhotoMedia(publicUrl, pictureId)
        : demoPictureMedia(publicUrl, pictureId, slug),
    ],
    createdAt: opened + index * 86_400,
    variants: item.variants.map((variant, position) => ({
      id: seedId(4, index * 16 + position + 1),
      name: variant.name,
      sku: variant.sku,
      attributes: Object.entries(variant.attributes).map(([name, value]) => ({ name, value })),
      pricing: {
        markets: [
          { marketId: 'US', currency: 'USD', ...pricesIn('usd', variant) },
          { marketId: 'EU', currency: 'EUR', ...pricesIn('eur', variant) },
        ],
      },
      inventory: {
        tracked: variant.stock !== undefined,
        quantity: variant.stock ?? 0,
        lowStockThreshold: variant.low,
      },
    })),
  };
}

/** All that a variant costs in one currency; a sale goes on for as long as the shop is there. */
const pricesIn = (currency: 'usd' | 'eur', { was, sale, tier, wholesale: cafe, ...plain }: DemoVariant) => ({
  price: plain[currency],
  ...(was ? { compareAtPrice: was[currency] } : {}),
  ...(sale ? { sale: { amount: sale[currency], startsAt: opened } } : {}),
  ...(tier ? { tiers: [{ minQuantity: tier.minQuantity, amount: tier[currency] }] } : {}),
  ...(cafe ? { groupPrices: [{ groupId: wholesaleGroup.id, amount: cafe[currency] }] } : {}),
});
