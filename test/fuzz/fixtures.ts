/** Fixtures of the fuzzer: the records of the parity world, and secret texts that only some viewers may read. */

import { createWorld, type Viewer, viewerNames, type World } from '../parity/fixtures.ts';
import { domains } from '../parity/samples/index.ts';
import { assertContract } from '../simulation/contract-violation.ts';
import type { Dice } from '../simulation/seeded-random.ts';
import type { Person, TestApp } from '../support/test-app.ts';
import type { RecordIds } from './values.ts';

export interface FuzzFixtures {
  t: TestApp;
  world: World;
  /** Ids of the other business, which viewers without access try, too. */
  foreign: RecordIds;
}

const secrets: readonly { mark: string; readers: readonly Viewer[] }[] = [
  { mark: 'secret-of-the-other-shop', readers: ['foreign admin'] },
  { mark: 'secret-of-our-staff', readers: ['admin', 'API key'] },
];

export async function createFixtures(t: TestApp): Promise<FuzzFixtures> {
  const world = await createWorld(t, domains);
  // Placeholders of records without an id are used by the samples only.
  for (const [name, id] of Object.entries(world.ids)) if (id === '') delete world.ids[name];
  const [otherSecret, ownSecret] = secrets;
  const { admin, 'foreign admin': otherAdmin } = world.viewers;
  const businessId = await create(t, otherAdmin, '/v1/businesses', { name: 'Hidden' });
  const foreign = {
    business: businessId,
    ...(await createSecretRecords(t, otherAdmin, businessId, otherSecret?.mark ?? '')),
  };
  // Requests do not get the ids of these records, because publishing one would make its secret public.
  await createSecretRecords(t, admin, world.shop.businessId, ownSecret?.mark ?? '');
  return { t, world, foreign };
}

async function createSecretRecords(
  t: TestApp,
  as: Person | undefined,
  businessId: string,
  mark: string,
): Promise<RecordIds> {
  const path = `/v1/businesses/${businessId}`;
  const blocks = [{ id: 'title', type: 'TEXT', label: 'Title' }];
  const collection = await create(t, as, `${path}/collections`, { name: mark, status: 'DRAFT', blocks });
  return {
    collection,
    product: await create(t, as, `${path}/products`, { name: mark, status: 'DRAFT' }),
    entry: await create(t, as, `${path}/entries`, {
      collectionId: collection,
      blocks: [{ id: 'title', type: 'TEXT', value: mark }],
    }),
    promoCode: await create(t, as, `${path}/promo-codes`, { code: mark, type: 'PERCENTAGE', bps: 100 }),
    webhook: await create(t, as, `${path}/webhooks`, { url: `https://hooks.example/${mark}`, events: ['*'] }),
  };
}

async function create(t: TestApp, as: Person | undefined, path: string, body: object): Promise<string> {
  const response = await t.rest<{ id: string }>('POST', path, { as, body });
  if (response.status !== 200) throw new Error(`POST ${path}: ${JSON.stringify(response.body)}`);
  return response.body.id;
}

/** Whether a field contains the time of the response, which differs between two responses. */
export const isVolatileField = (field: string): boolean => /^exportedAt(DateTime)?$/.test(field);

export interface FuzzCaller {
  viewer: Viewer;
  as: Person | undefined;
  ids: RecordIds;
}

/** Picks the viewer of a request. Mostly an admin, because requests without permission are rejected before any other check. */
export function pickCaller({ world, foreign }: FuzzFixtures, dice: Dice): FuzzCaller {
  const viewer = dice.chance(0.6) ? 'admin' : dice.oneOf<Viewer>(viewerNames);
  const triesForeign = viewer !== 'foreign admin' && dice.chance(0.1);
  return { viewer, as: world.viewers[viewer], ids: triesForeign ? { ...world.ids, ...foreign } : world.ids };
}

export function checkSecrets(viewer: Viewer, body: unknown, describe: () => string): void {
  const text = JSON.stringify(body ?? null).toLowerCase();
  for (const { mark, readers } of secrets)
    assertContract(
      readers.includes(viewer) || !text.includes(mark),
      'secret',
      () => `${viewer} received ${mark}: ${describe()}`,
    );
}
