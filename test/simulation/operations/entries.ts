/** Operations on entries and newsletters. */
import { callOperation } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import { changeStatus, createStatus, hasPermission } from '../model.ts';
import {
  createSecretText,
  type KnownEntry,
  type KnownProduct,
  type KnownShop,
  type World,
} from '../world.ts';
import {
  businessPath,
  type OperationContext,
  type PlayOperation,
  pickAddress,
  pickShop,
} from './operation.ts';

interface EntryBody {
  id: string;
  version: number;
  statuses: { status: string }[];
}

/** Blocks of an entry, with a relationship to a product if given. */
const blocksOf = (title: string, product: KnownProduct | undefined) => [
  { id: 'title', type: 'TEXT', value: title },
  ...(product ? [{ id: 'about', type: 'RELATIONSHIP', value: product.id }] : []),
];

export const createEntry: PlayOperation = async (world, context) => {
  const { actor, dice } = context;
  const shop = pickShop(world, dice, actor);
  const isNewsletter = dice.chance(0.3);
  const status = dice.chance(0.6) ? 'PUBLISHED' : undefined;
  const shopProducts = world.products.filter((product) => product.shop === shop.number && !product.deleted);
  const drafts = shopProducts.filter((product) => product.status === 'DRAFT');
  const product = dice.pick(drafts.length > 0 && dice.chance(0.5) ? drafts : shopProducts);
  await writeEntry(world, context, {
    shop,
    isLetter: isNewsletter,
    status,
    about: dice.chance(0.7) ? product : undefined,
  });
};

interface NewEntry {
  shop: KnownShop;
  isLetter: boolean;
  status: string | undefined;
  about: KnownProduct | undefined;
}

/** Creates an entry; undefined if the model expects a rejection. */
export async function writeEntry(
  world: World,
  { actor, protocol }: OperationContext,
  { shop, isLetter: isNewsletter, status, about: product }: NewEntry,
): Promise<KnownEntry | undefined> {
  const entry: KnownEntry = {
    id: '',
    shop: shop.number,
    deleted: false,
    status: status ?? 'DRAFT',
    isNewsletter,
  };
  const secretText = createSecretText(
    world,
    (reader) => entry.status === 'PUBLISHED' || hasPermission(reader, 'CONTENT_WRITE', entry.shop),
  );
  const body = await callOperation<EntryBody>(world, {
    operation: 'CreateEntry',
    actor,
    protocol,
    input: {
      path: businessPath(shop),
      body: {
        collectionId: isNewsletter ? shop.newsletterId : shop.journalId,
        blocks: blocksOf(secretText, product),
        ...(status ? { status } : {}),
      },
    },
    expectedStatus: createStatus(actor, 'CONTENT_WRITE', shop.number),
  });
  if (!body) return undefined;
  assertContract(body.statuses.at(-1)?.status === entry.status, 'status of a new entry', () =>
    JSON.stringify(body),
  );
  entry.id = body.id;
  world.entries.push(entry);
  return entry;
}

export const updateEntry: PlayOperation = async (world, { actor: caller, protocol, dice }) => {
  const entry = dice.pick(world.entries);
  if (!entry) return;
  const { named: addressedShop, actor } = pickAddress(world, dice, entry, caller);
  const status = dice.oneOf(['PUBLISHED', 'DRAFT']);
  const before = world.observed.records.get(entry.id)?.version ?? 0;
  const body = await callOperation<EntryBody>(world, {
    operation: 'UpdateEntry',
    actor,
    protocol,
    input: { path: { ...businessPath(addressedShop), id: entry.id }, body: { status } },
    expectedStatus: changeStatus(actor, 'CONTENT_WRITE', addressedShop.number, entry),
  });
  if (!body) return;
  assertContract(
    body.version === before + 1,
    'version of an entry',
    () => `${before} became ${body.version}`,
  );
  entry.status = status;
};

export const deleteEntry: PlayOperation = async (world, { actor: caller, protocol, dice }) => {
  const entry = dice.pick(world.entries);
  if (!entry) return;
  const { named: addressedShop, actor } = pickAddress(world, dice, entry, caller);
  const body = await callOperation(world, {
    operation: 'DeleteEntry',
    actor,
    protocol,
    input: { path: { ...businessPath(addressedShop), id: entry.id } },
    expectedStatus: changeStatus(actor, 'CONTENT_WRITE', addressedShop.number, entry),
  });
  if (body) entry.deleted = true;
};

export const sendEntry: PlayOperation = async (world, { actor: caller, protocol, dice }) => {
  const newsletters = world.entries.filter(({ isNewsletter }) => isNewsletter);
  const entry = dice.pick(newsletters.length > 0 && dice.chance(0.9) ? newsletters : world.entries);
  if (!entry) return;
  const { named: addressedShop, actor } = pickAddress(world, dice, entry, caller);
  const access = changeStatus(actor, 'NEWSLETTER_SEND', addressedShop.number, entry);
  await callOperation(world, {
    operation: 'SendEntry',
    actor,
    protocol,
    input: { path: { ...businessPath(addressedShop), id: entry.id }, body: {} },
    expectedStatus: access !== 200 ? access : entry.isNewsletter ? 200 : 422,
  });
};
