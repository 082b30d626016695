/** Businesses that can sell, with markets, shipping methods, promo codes and products. */
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import type { Person, Shop, TestApp } from './app.ts';

export interface SoldProduct {
  productId: string;
  variantId: string;
}

export interface SellingShop extends Shop {
  /** `/v1/businesses/<id>/orders` */
  orders: string;
}

export async function createSellingShop(t: TestApp): Promise<SellingShop> {
  const shop = await t.shop();
  const stamps = { createdAt: now(), updatedAt: now() };
  const { businessId } = shop;
  await t.db.prisma.market.create({
    data: {
      businessId,
      key: 'us',
      code: 'US',
      currency: 'USD',
      taxBps: 825,
      ...stamps,
    },
  });
  await t.db.prisma.market.create({
    data: {
      businessId,
      key: 'eu',
      code: 'EU',
      currency: 'EUR',
      taxBps: 0,
      ...stamps,
    },
  });
  await t.db.prisma.shippingMethod.create({
    data: {
      businessId,
      id: 'standard',
      name: 'Standard',
      prices: [{ marketId: 'US', price: 590, freeAbove: 10_000 }],
      ...stamps,
    },
  });
  return { ...shop, orders: `/v1/businesses/${businessId}/orders` };
}

export interface PromoOptions {
  code: string;
  type: 'PERCENTAGE' | 'FIXED' | 'FREE_SHIPPING';
  bps?: number;
  amount?: number;
  currency?: string;
  minSubtotal?: number;
  startsAt?: number;
  endsAt?: number;
  maxUses?: number;
  maxUsesPerCustomer?: number;
}

export async function addPromoCode(t: TestApp, shop: Shop, options: PromoOptions): Promise<string> {
  const id = newId();
  const { businessId } = shop;
  const stamps = { createdAt: now(), updatedAt: now() };
  await t.db.prisma.promoCode.create({
    data: {
      id,
      businessId,
      key: options.code.toLowerCase(),
      ...options,
      ...stamps,
    },
  });
  return id;
}

export interface ProductOptions {
  price?: number;
  /** Stock is not tracked if absent. */
  stock?: number;
  low?: number;
  name?: string;
  status?: string;
}

export async function addProduct(
  t: TestApp,
  shop: Shop,
  { price = 1000, stock, low, name = 'Teapot', status = 'ACTIVE' }: ProductOptions = {},
): Promise<SoldProduct> {
  const response = await t.rest<{ id: string; variants: { id: string }[] }>(
    'POST',
    `/v1/businesses/${shop.businessId}/products`,
    {
      as: shop.admin,
      body: {
        name,
        status,
        variants: [
          {
            name: 'Small',
            sku: `SKU-${newId()}`,
            pricing: { markets: [{ marketId: 'us', currency: 'USD', price }] },
            inventory: {
              tracked: stock !== undefined,
              quantity: stock ?? 0,
              ...(low === undefined ? {} : { lowStockThreshold: low }),
            },
          },
        ],
      },
    },
  );
  const variantId = response.body.variants[0]?.id;
  if (response.status !== 200 || !variantId) throw new Error(JSON.stringify(response.body));
  return { productId: response.body.id, variantId };
}

export const loadStock = async (t: TestApp, { variantId }: SoldProduct): Promise<number | undefined> =>
  (await t.db.sql<{ quantity: number }>('select quantity from variants where id = $1', [variantId]))[0]
    ?.quantity;

/** Details of an error response as `<field> <error>`, in order. */
export const detailErrors = (body: unknown): string[] =>
  ((body as { details?: { field: string; error: string }[] }).details ?? []).map(
    ({ field, error }) => `${field} ${error}`,
  );

export const postQuote = <Body = Record<string, never>>(t: TestApp, as: Person | undefined, body: unknown) =>
  t.rest<Body>('POST', '/v1/payments/quote', { as, body });
