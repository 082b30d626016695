/** Operations on products and stock. */

import { callOperation } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import { productCategories } from '../create-shop.ts';
import { changeStatus, createStatus, hasPermission } from '../model.ts';
import { reservedUnits } from '../record-invariants.ts';
import {
  createSecretText,
  type KnownProduct,
  type KnownShop,
  type KnownVariant,
  type World,
} from '../world.ts';
import {
  businessPath,
  type OperationContext,
  type PlayOperation,
  pickAddress,
  pickShop,
} from './operation.ts';

interface ProductBody {
  id: string;
  version: number;
  statuses: { status: string }[];
  variants: {
    id: string;
    inventory: { tracked: boolean; quantity: number };
    pricing: { markets: { price: number }[] };
  }[];
}

const statusOf = (body: ProductBody): string => body.statuses.at(-1)?.status ?? '';

/** Variants after a write: a new one has the stock of the input; an existing one has its previous stock, unless the input sets it. */
function variantsOf(
  world: World,
  body: ProductBody,
  existing: readonly KnownVariant[],
  variantsWithStockInput: ReadonlySet<string>,
): KnownVariant[] {
  return body.variants.map(({ id, inventory, pricing }) => {
    const previous = existing.find((variant) => variant.id === id);
    return {
      id,
      price: pricing.markets[0]?.price ?? 0,
      tracked: inventory.tracked,
      countedStock:
        previous && !variantsWithStockInput.has(id)
          ? previous.countedStock
          : inventory.quantity + reservedUnits(world, id),
    };
  });
}

interface VariantOffer {
  price: number;
  inventory: { tracked: boolean; quantity?: number };
}

export const createProduct: PlayOperation = async (world, context) => {
  const { actor, dice } = context;
  const shop = pickShop(world, dice, actor);
  const status = dice.oneOf(['ACTIVE', 'ACTIVE', 'ACTIVE', 'DRAFT']);
  const offers = Array.from({ length: dice.between(1, 2) }, () => ({
    price: dice.oneOf([0, 100, 999, 4999, 12_345]),
    inventory: dice.chance(0.8)
      ? { tracked: true, quantity: dice.oneOf([0, 3, 8, 12, 20]) }
      : { tracked: false },
  }));
  await addProduct(world, context, { shop, status, offers, category: dice.oneOf(productCategories) });
};

/** Creates a product with a variant for each offer; undefined if the model expects a rejection. */
export async function addProduct(
  world: World,
  { actor, protocol }: OperationContext,
  {
    shop,
    status,
    offers,
    category,
  }: { shop: KnownShop; status: string; offers: readonly VariantOffer[]; category?: string | undefined },
): Promise<KnownProduct | undefined> {
  const product: KnownProduct = { id: '', shop: shop.number, deleted: false, status, category, variants: [] };
  const secretText = createSecretText(
    world,
    (reader) => product.status === 'ACTIVE' || hasPermission(reader, 'PRODUCTS_WRITE', product.shop),
  );
  const variants = offers.map(({ price, inventory }, index) => ({
    name: `Size ${index}`,
    sku: `SKU-${world.counter}-${index}`,
    pricing: { markets: [{ marketId: 'US', currency: 'USD', price }] },
    inventory,
  }));
  const body = await callOperation<ProductBody>(world, {
    operation: 'CreateProduct',
    actor,
    protocol,
    input: {
      path: businessPath(shop),
      body: { name: 'Thing', description: secretText, status, variants, ...(category ? { category } : {}) },
    },
    expectedStatus: createStatus(actor, 'PRODUCTS_WRITE', shop.number),
    idempotencyKey: secretText,
  });
  if (!body) return undefined;
  Object.assign(product, { id: body.id, variants: variantsOf(world, body, [], new Set()) });
  assertContract(body.version === 1 && statusOf(body) === status, 'created product', () =>
    JSON.stringify(body),
  );
  world.products.push(product);
  return product;
}

export const updateProduct: PlayOperation = async (world, { actor: caller, protocol, dice }) => {
  const product = dice.pick(world.products);
  if (!product) return;
  const { named: addressedShop, actor } = pickAddress(world, dice, product, caller);
  const status = dice.chance(0.3) ? dice.oneOf(['ACTIVE', 'DRAFT', 'ARCHIVED']) : undefined;
  const variantsWithStockInput = new Set<string>();
  const variants = dice.chance(0.6)
    ? product.variants.slice(0, dice.chance(0.9) ? undefined : 1).map(({ id, price }) => {
        const inventory = pickInventory(dice.between(0, 5), dice.between(0, 12));
        if (inventory?.quantity !== undefined) variantsWithStockInput.add(id);
        return {
          id,
          pricing: {
            markets: [{ marketId: 'US', currency: 'USD', price: dice.chance(0.2) ? price + 1 : price }],
          },
          ...(inventory ? { inventory } : {}),
        };
      })
    : undefined;
  const previous = world.observed.records.get(product.id)?.version ?? 0;
  const category = `c${dice.between(1, 3)}`;
  const body = await callOperation<ProductBody>(world, {
    operation: 'UpdateProduct',
    actor,
    protocol,
    input: {
      path: { ...businessPath(addressedShop), id: product.id },
      body: {
        ...(status ? { status } : {}),
        ...(variants ? { variants } : {}),
        category,
      },
    },
    expectedStatus: changeStatus(actor, 'PRODUCTS_WRITE', addressedShop.number, product),
  });
  if (!body) return;
  assertContract(
    body.version === previous + 1,
    'version of an update',
    () => `${previous} became ${body.version}`,
  );
  product.status = statusOf(body);
  product.category = category;
  assertContract(status === undefined || product.status === status, 'status of an update', () =>
    JSON.stringify(body),
  );
  const tracked = new Map(product.variants.map((variant) => [variant.id, variant.tracked]));
  for (const [index, { id, inventory }] of body.variants.entries()) {
    const expectedTracking =
      variants?.[index]?.inventory?.tracked ?? (variantsWithStockInput.has(id) ? true : tracked.get(id));
    assertContract(
      inventory.tracked === expectedTracking,
      'tracking of an update',
      () => `${id}: ${expectedTracking} became ${inventory.tracked}`,
    );
  }
  product.variants = variantsOf(world, body, product.variants, variantsWithStockInput);
};

/** Inventory input with all fields, some, or none; omitted fields stay unchanged. */
function pickInventory(kind: number, quantity: number): { tracked?: boolean; quantity?: number } | undefined {
  if (kind === 0) return { tracked: true, quantity };
  if (kind === 1) return { tracked: false };
  if (kind === 2) return { quantity };
  return undefined;
}

export const adjustStock: PlayOperation = async (world, { actor: caller, protocol, dice }) => {
  const product = dice.pick(world.products);
  const variant = product && dice.pick(product.variants);
  if (!product || !variant) return;
  const { named: addressedShop, actor } = pickAddress(world, dice, product, caller);
  const stock = world.observed.stock.get(variant.id) ?? 0;
  // Sometimes removes the whole stock, or up to 2 units more.
  const change = (dice.chance(0.25) ? -stock - dice.between(0, 2) : dice.between(-4, 6)) || 1;
  const access = changeStatus(actor, 'PRODUCTS_WRITE', addressedShop.number, product);
  const isSufficient = variant.tracked && stock + change >= 0;
  const body = await callOperation<{ balance: number }>(world, {
    operation: 'AdjustStock',
    actor,
    protocol,
    input: {
      path: { ...businessPath(addressedShop), id: product.id },
      body: { variantId: variant.id, change, reason: 'Counted' },
    },
    expectedStatus: access !== 200 ? access : isSufficient ? 200 : 422,
  });
  if (!body) return;
  variant.countedStock += change;
  assertContract(body.balance === variant.countedStock - reservedUnits(world, variant.id), 'balance', () =>
    JSON.stringify(body),
  );
};

export const deleteProduct: PlayOperation = async (world, { actor: caller, protocol, dice }) => {
  const product = dice.pick(world.products);
  if (!product) return;
  const { named: addressedShop, actor } = pickAddress(world, dice, product, caller);
  const body = await callOperation(world, {
    operation: 'DeleteProduct',
    actor,
    protocol,
    input: { path: { ...businessPath(addressedShop), id: product.id } },
    expectedStatus: changeStatus(actor, 'PRODUCTS_WRITE', addressedShop.number, product),
  });
  if (body) product.deleted = true;
};
