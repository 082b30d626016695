/** What is done to entries, and with newsletters. */
import { callOperation } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import { hasPermission, changeStatus, createStatus } from '../model.ts';
import { type KnownEntry, type KnownProduct, type KnownShop, createSecretText, type World } from '../world.ts';
import { type PlayOperation, businessPath, pickShop, type OperationContext, pickAddress } from './operation.ts';

interface EntryBody {
  id: string;
  version: number;
  statuses: { status: string }[];
}

/** Some are about a product, which may well be a draft. */
const blocksOf = (title: string, product: KnownProduct | undefined) => [
  { id: 'title', type: 'TEXT', value: title },
  ...(product ? [{ id: 'about', type: 'RELATIONSHIP', value: product.id }] : []),
];

export const createEntry: PlayOperation = async (world, turn) => {
  const { actor, dice } = turn;
  const shop = pickShop(world, dice, actor);
  const isLetter = dice.chance(0.3);
  const status = dice.chance(0.6) ? 'PUBLISHED' : undefined;
  const own = world.products.filter((product) => product.shop === shop.number && !product.deleted);
  const drafts = own.filter((product) => product.status === 'DRAFT');
  const about = dice.pick(drafts.length > 0 && dice.chance(0.5) ? drafts : own);
  await writeEntry(world, turn, { shop, isLetter, status, about: dice.chance(0.7) ? about : undefined });
};

interface Text {
  shop: KnownShop;
  isLetter: boolean;
  status: string | undefined;
  about: KnownProduct | undefined;
}

/** A new entry; undefined when the model expects that it is refused. */
export async function writeEntry(
  world: World,
  { actor, protocol: voice }: OperationContext,
  { shop, isLetter, status, about }: Text,
): Promise<KnownEntry | undefined> {
  const entry: KnownEntry = { id: '', shop: shop.number, deleted: false, status: status ?? 'DRAFT', isNewsletter: isLetter };
  const mark = createSecretText(
    world,
    (reader) => entry.status === 'PUBLISHED' || hasPermission(reader, 'CONTENT_WRITE', entry.shop),
  );
  const body = await callOperation<EntryBody>(world, {
    operation: 'CreateEntry',
    actor,
    protocol: voice,
    input: {
      path: businessPath(shop),
      body: {
        collectionId: isLetter ? shop.newsletterId : shop.journalId,
        blocks: blocksOf(mark, about),
        ...(status ? { status } : {}),
      },
    },
    expectedStatus: createStatus(actor, 'CONTENT_WRITE', shop.number),
  });
  if (!body) return undefined;
  assertContract(body.statuses.at(-1)?.status === entry.status, 'status of a new entry', () => JSON.stringify(body));
  entry.id = body.id;
  world.entries.push(entry);
  return entry;
}

export const updateEntry: PlayOperation = async (world, { actor: asker, protocol: voice, dice }) => {
  const entry = dice.pick(world.entries);
  if (!entry) return;
  const { named, actor } = pickAddress(world, dice, entry, asker);
  const status = dice.oneOf(['PUBLISHED', 'DRAFT']);
  const before = world.observed.records.get(entry.id)?.version ?? 0;
  const body = await callOperation<EntryBody>(world, {
    operation: 'UpdateEntry',
    actor,
    protocol: voice,
    input: { path: { ...businessPath(named), id: entry.id }, body: { status } },
    expectedStatus: changeStatus(actor, 'CONTENT_WRITE', named.number, entry),
  });
  if (!body) return;
  assertContract(body.version === before + 1, 'version of an entry', () => `${before} became ${body.version}`);
  entry.status = status;
};

export const deleteEntry: PlayOperation = async (world, { actor: asker, protocol: voice, dice }) => {
  const entry = dice.pick(world.entries);
  if (!entry) return;
  const { named, actor } = pickAddress(world, dice, entry, asker);
  const body = await callOperation(world, {
    operation: 'DeleteEntry',
    actor,
    protocol: voice,
    input: { path: { ...businessPath(named), id: entry.id } },
    expectedStatus: changeStatus(actor, 'CONTENT_WRITE', named.number, entry),
  });
  if (body) entry.deleted = true;
};

export const sendEntry: PlayOperation = async (world, { actor: asker, protocol: voice, dice }) => {
  const letters = world.entries.filter(({ isNewsletter: isLetter }) => isLetter);
  const entry = dice.pick(letters.length > 0 && dice.chance(0.9) ? letters : world.entries);
  if (!entry) return;
  const { named, actor } = pickAddress(world, dice, entry, asker);
  const access = changeStatus(actor, 'NEWSLETTER_SEND', named.number, entry);
  await callOperation(world, {
    operation: 'SendEntry',
    actor,
    protocol: voice,
    input: { path: { ...businessPath(named), id: entry.id }, body: {} },
    expectedStatus: access !== 200 ? access : entry.isNewsletter ? 200 : 422,
  });
};
