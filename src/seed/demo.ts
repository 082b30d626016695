/** Seeds the demo business. A second run changes nothing. */
import { hashPassword } from '../auth/hash-and-verify-passwords.ts';
import { loadOrCreateGatewaySecret } from '../auth/load-rotate-and-reencrypt-stored-keys.ts';
import { classifyDbError } from '../db/classify-db-errors.ts';
import type { Db } from '../db/handles.ts';
import { slugify } from '../lib/text/slug.ts';
import type { MediaStore } from '../ports/media.ts';
import { createSecretsKeyCipher } from '../secrets-key-cipher.ts';
import { seedContent } from './content.ts';
import { seedDisposableExamples } from './disposable-examples.ts';
import { insertSeedProducts, type SeedProduct } from './insert-products.ts';
import { seedPhoneConfirmationCodes } from './phone-confirmation-codes.ts';
import { createDemoPictureMedia } from './pictures.ts';
import { type DemoVariant, demoProducts } from './products-data.ts';
import { seedBusiness, seedDemoShopSettings, seedUsersAndRoles } from './shop.ts';
import { buildSeedId, demoShopIdsAndLogins, demoWholesaleGroup } from './shop-data.ts';
import {
  createDemoPhotoMedia,
  photographedProductSlug,
  seedDemoPhotoRecord,
  storeDemoPhotoFiles,
} from './uploaded-photo.ts';
import { seedWebhooks } from './webhooks.ts';

/** Opening day of the demo shop: 2025-01-01 00:00 UTC. */
const opened = 1_735_689_600;

/**
 * Returns false when the demo business exists, or was deleted while some of its records remain. Image URLs start with `publicUrl`;
 * with `openStore` one image is an uploaded file in the media store. `secretsKeys` decrypt the gateway secret.
 */
export async function seedDemo(
  db: Db,
  publicUrl = 'http://localhost:4000',
  openStore?: () => Promise<MediaStore>,
  secretsKeys: readonly Uint8Array[] = [],
): Promise<boolean> {
  // Most starts find the demo business and must not wait for the hashing of a password.
  const [existing] = await db.sql('select 1 from businesses where id = $1', [
    demoShopIdsAndLogins.businessId,
  ]);
  if (existing) return false;
  const photoStored = openStore?.().then(storeDemoPhotoFiles);
  const secrets = createSecretsKeyCipher(secretsKeys);
  const prepared = [
    hashPassword(demoShopIdsAndLogins.password),
    loadOrCreateGatewaySecret(db, secrets),
    photoStored,
  ] as const;
  // After an error the caller closes the database: no statement may still be running.
  await Promise.allSettled(prepared);
  const [password, secret] = await Promise.all(prepared);
  const seeding = db.transaction(async (tx) => {
    if (!(await seedBusiness(tx, opened))) return false;
    await seedUsersAndRoles(tx, opened, password);
    await seedDemoShopSettings(tx, opened);
    if (photoStored) await seedDemoPhotoRecord(tx, opened);
    await insertSeedProducts(
      tx,
      demoShopIdsAndLogins.businessId,
      demoProducts.map((item, index) => toProduct(item, index, publicUrl, photoStored !== undefined)),
    );
    await seedContent(tx, opened, publicUrl);
    await seedDisposableExamples(tx, opened, publicUrl);
    await seedPhoneConfirmationCodes(tx, secret);
    await seedWebhooks(tx, opened, { secret, encryptsStoredSecrets: secrets.isEnabled });
    return true;
  });
  return seeding.catch((error: unknown) => {
    // Records of a deleted demo business remain: the gateway starts without it.
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
  const pictureId = buildSeedId(5, index + 1);
  return {
    id: buildSeedId(3, index + 1),
    name: item.name,
    slug,
    category: item.category,
    description: item.description,
    status: item.status ?? 'ACTIVE',
    gallery: [
      hasPhoto && slug === photographedProductSlug
        ? createDemoPhotoMedia(publicUrl, pictureId)
        : createDemoPictureMedia(publicUrl, pictureId, slug),
    ],
    createdAt: opened + index * 86_400,
    variants: item.variants.map((variant, position) => ({
      id: buildSeedId(4, index * 16 + position + 1),
      name: variant.name,
      sku: variant.sku,
      attributes: Object.entries(variant.attributes).map(([name, value]) => ({ name, value })),
      pricing: {
        markets: [
          { marketId: 'US', currency: 'USD', ...pricesIn(0, variant) },
          { marketId: 'EU', currency: 'EUR', ...pricesIn(1, variant) },
          // Amounts in francs are those in euros.
          { marketId: 'CH', currency: 'CHF', ...pricesIn(1, variant) },
        ],
      },
      inventory: {
        tracked: variant.stock !== undefined,
        quantity: variant.stock?.[0] ?? 0,
        lowStockThreshold: variant.stock?.[1],
      },
    })),
  };
}

/** All prices of a variant in US dollars (0) or euros (1). A sale starts on the opening day and has no end. */
const pricesIn = (currency: 0 | 1, { was, sale, tier, wholesale, price }: DemoVariant) => ({
  price: price[currency],
  ...(was ? { compareAtPrice: was[currency] } : {}),
  ...(sale ? { sale: { amount: sale[currency], startsAt: opened } } : {}),
  ...(tier ? { tiers: [{ minQuantity: tier.minQuantity, amount: tier.price[currency] }] } : {}),
  ...(wholesale ? { groupPrices: [{ groupId: demoWholesaleGroup.id, amount: wholesale[currency] }] } : {}),
});
