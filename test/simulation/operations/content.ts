/** What is done to entries, and with newsletters. */
import { call } from '../call.ts';
import { demand } from '../fault.ts';
import { may, toChange, toCreate } from '../model.ts';
import { type KnownEntry, type KnownProduct, type KnownShop, markOf, type World } from '../world.ts';
import { type Play, pathOf, shopFor, type Turn, visit } from './play.ts';

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

export const createEntry: Play = async (world, turn) => {
  const { actor, dice } = turn;
  const shop = shopFor(world, dice, actor);
  const isLetter = dice.chance(0.3);
  const status = dice.chance(0.6) ? 'PUBLISHED' : undefined;
  const own = world.products.filter((product) => product.shop === shop.number && !product.gone);
  const drafts = own.filter((product) => product.status === 'DRAFT');
  const about = dice.pick(drafts.length > 0 && dice.chance(0.5) ? drafts : own);
  await write(world, turn, { shop, isLetter, status, about: dice.chance(0.7) ? about : undefined });
};

interface Text {
  shop: KnownShop;
  isLetter: boolean;
  status: string | undefined;
  about: KnownProduct | undefined;
}

/** A new entry; undefined when the model expects that it is refused. */
export async function write(
  world: World,
  { actor, voice }: Turn,
  { shop, isLetter, status, about }: Text,
): Promise<KnownEntry | undefined> {
  const entry: KnownEntry = { id: '', shop: shop.number, gone: false, status: status ?? 'DRAFT', isLetter };
  const mark = markOf(
    world,
    (reader) => entry.status === 'PUBLISHED' || may(reader, 'CONTENT_WRITE', entry.shop),
  );
  const body = await call<EntryBody>(world, {
    operation: 'CreateEntry',
    actor,
    voice,
    asked: {
      path: pathOf(shop),
      body: {
        collectionId: isLetter ? shop.letters : shop.journal,
        blocks: blocksOf(mark, about),
        ...(status ? { status } : {}),
      },
    },
    expect: toCreate(actor, 'CONTENT_WRITE', shop.number),
  });
  if (!body) return undefined;
  demand(body.statuses.at(-1)?.status === entry.status, 'status of a new entry', () => JSON.stringify(body));
  entry.id = body.id;
  world.entries.push(entry);
  return entry;
}

export const updateEntry: Play = async (world, { actor: asker, voice, dice }) => {
  const entry = dice.pick(world.entries);
  if (!entry) return;
  const { named, actor } = visit(world, dice, entry, asker);
  const status = dice.one(['PUBLISHED', 'DRAFT']);
  const before = world.seen.records.get(entry.id)?.version ?? 0;
  const body = await call<EntryBody>(world, {
    operation: 'UpdateEntry',
    actor,
    voice,
    asked: { path: { ...pathOf(named), id: entry.id }, body: { status } },
    expect: toChange(actor, 'CONTENT_WRITE', named.number, entry),
  });
  if (!body) return;
  demand(body.version === before + 1, 'version of an entry', () => `${before} became ${body.version}`);
  entry.status = status;
};

export const deleteEntry: Play = async (world, { actor: asker, voice, dice }) => {
  const entry = dice.pick(world.entries);
  if (!entry) return;
  const { named, actor } = visit(world, dice, entry, asker);
  const body = await call(world, {
    operation: 'DeleteEntry',
    actor,
    voice,
    asked: { path: { ...pathOf(named), id: entry.id } },
    expect: toChange(actor, 'CONTENT_WRITE', named.number, entry),
  });
  if (body) entry.gone = true;
};

export const sendEntry: Play = async (world, { actor: asker, voice, dice }) => {
  const letters = world.entries.filter(({ isLetter }) => isLetter);
  const entry = dice.pick(letters.length > 0 && dice.chance(0.9) ? letters : world.entries);
  if (!entry) return;
  const { named, actor } = visit(world, dice, entry, asker);
  const access = toChange(actor, 'NEWSLETTER_SEND', named.number, entry);
  await call(world, {
    operation: 'SendEntry',
    actor,
    voice,
    asked: { path: { ...pathOf(named), id: entry.id }, body: {} },
    expect: access !== 200 ? access : entry.isLetter ? 200 : 422,
  });
};
