/** What is asked about: the records of the parity world, and secrets that only some may read. */

import { createWorld, type Viewer, viewerNames, type World } from '../parity/fixtures.ts';
import { domains } from '../parity/samples/index.ts';
import { assertContract } from '../simulation/contract-violation.ts';
import type { Dice } from '../simulation/seeded-random.ts';
import type { Person, TestApp } from '../support/test-app.ts';
import type { RecordIds } from './values.ts';

export interface FuzzFixtures {
  t: TestApp;
  world: World;
  /** Ids of the other shop: those who do not belong to it try them too. */
  foreign: RecordIds;
}

const secrets: readonly { mark: string; readers: readonly Viewer[] }[] = [
  { mark: 'secret-of-the-other-shop', readers: ['foreign admin'] },
  { mark: 'secret-of-our-staff', readers: ['admin', 'API key'] },
];

export async function createFixtures(t: TestApp): Promise<FuzzFixtures> {
  const world = await createWorld(t, domains);
  // Some records have no id: their names are for samples alone.
  for (const [name, id] of Object.entries(world.ids)) if (id === '') delete world.ids[name];
  const [theirs, ours] = secrets;
  const { admin, 'foreign admin': rival } = world.viewers;
  const opened = await made(t, rival, '/v1/businesses', { name: 'Hidden' });
  const foreign = { business: opened, ...(await hide(t, rival, opened, theirs?.mark ?? '')) };
  // Nobody is told the ids of these: whoever publishes one makes it public.
  await hide(t, admin, world.shop.businessId, ours?.mark ?? '');
  return { t, world, foreign };
}

async function hide(t: TestApp, as: Person | undefined, businessId: string, mark: string): Promise<RecordIds> {
  const at = `/v1/businesses/${businessId}`;
  const blocks = [{ id: 'title', type: 'TEXT', label: 'Title' }];
  const collection = await made(t, as, `${at}/collections`, { name: mark, status: 'DRAFT', blocks });
  return {
    collection,
    product: await made(t, as, `${at}/products`, { name: mark, status: 'DRAFT' }),
    entry: await made(t, as, `${at}/entries`, {
      collectionId: collection,
      blocks: [{ id: 'title', type: 'TEXT', value: mark }],
    }),
    promoCode: await made(t, as, `${at}/promo-codes`, { code: mark, type: 'PERCENTAGE', bps: 100 }),
    webhook: await made(t, as, `${at}/webhooks`, { url: `https://hooks.example/${mark}`, events: ['*'] }),
  };
}

async function made(t: TestApp, as: Person | undefined, path: string, body: object): Promise<string> {
  const answer = await t.rest<{ id: string }>('POST', path, { as, body });
  if (answer.status !== 200) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
}

/** A field that tells when it was asked for: no two answers have the same. */
export const isVolatileField = (field: string): boolean => field === 'exportedAt';

export interface FuzzCaller {
  viewer: Viewer;
  as: Person | undefined;
  ids: RecordIds;
}

/** Mostly somebody who may: who is refused at the door gets no further. */
export function pickCaller({ world, foreign }: FuzzFixtures, dice: Dice): FuzzCaller {
  const viewer = dice.chance(0.6) ? 'admin' : dice.oneOf<Viewer>(viewerNames);
  const triesForeign = viewer !== 'foreign admin' && dice.chance(0.1);
  return { viewer, as: world.viewers[viewer], ids: triesForeign ? { ...world.ids, ...foreign } : world.ids };
}

export function checkSecrets(viewer: Viewer, told: unknown, what: () => string): void {
  const text = JSON.stringify(told ?? null).toLowerCase();
  for (const { mark, readers } of secrets)
    assertContract(
      readers.includes(viewer) || !text.includes(mark),
      'secret',
      () => `${viewer} was told ${mark}: ${what()}`,
    );
}
