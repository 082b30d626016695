/** Newsletters take turns: businesses first, then the sends of each. */
import { beforeAll, expect, it } from 'vitest';
import { sendNewsletterJob } from '../../src/domains/newsletter/sending/deliver-newsletter.ts';
import { claimNextSend, pauseSend } from '../../src/domains/newsletter/sending/fair-scheduling.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import type { Mail } from '../../src/ports/mail.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let eager: Shop;
let modest: Shop;
let guest: Person;
const sent: string[] = [];

const mail: Mail = {
  embedded: true,
  async send({ headers }) {
    sent.push(headers?.['List-Id']?.split('.')[0]?.slice(1) ?? '');
  },
};

beforeAll(async () => {
  t = await testApp({ NEWSLETTER_PER_SECOND: '10000' });
  Object.assign(t.app.services, { mail });
  [eager, modest, guest] = await Promise.all([t.shop(), t.shop(), t.guest()]);
});

/** A newsletter with one subscriber, and what sends entries of it. */
async function letter({ businessId, admin }: Shop) {
  const base = `/v1/businesses/${businessId}`;
  const made = async (path: string, body: object, as = admin) => {
    const answer = await t.rest<{ id: string }>('POST', `${base}/${path}`, { as, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.id;
  };
  const id = await made('collections', { name: 'Letter', type: 'NEWSLETTER', blocks: [] });
  await made(`collections/${id}/subscribe`, { email: `${newId()}@mail.example`, name: 'Ada' }, guest);
  const entry = () => made('entries', { collectionId: id, blocks: [] });
  return {
    id,
    entry,
    send: async (body: object = {}) => void (await made(`entries/${await entry()}/send`, body)),
  };
}

it('lets the one send of a business come after the first of another that has many', async () => {
  const [many, one] = [await letter(eager), await letter(modest)];
  for (let count = 0; count < 4; count += 1) await many.send();
  await one.send();
  await t.app.drainJobs();
  expect(sent).toEqual([many.id, one.id, many.id, many.id, many.id]);
  // Nobody has gained anything by having waited, nor lost anything by what is planned for later.
  sent.length = 0;
  await one.send({ scheduledAt: now() + 3600 });
  for (let count = 0; count < 2; count += 1) await many.send();
  for (let count = 0; count < 2; count += 1) await one.send();
  await t.app.drainJobs();
  expect(sent).toEqual([one.id, many.id, one.id, many.id]);
});

it('goes round the businesses, and in each of them round its sends, for as long as they last', async () => {
  const [many, one] = [await letter(eager), await letter(modest)];
  await t.db.sql(`update newsletter_sends set status = 'SENT'`);
  const open = async (shop: Shop, { id, entry }: typeof many) => {
    const [sendId, time] = [newId(), now()];
    await t.db.sql(
      `insert into newsletter_sends (id, business_id, collection_id, entry_id, status, scheduled_at, created_at)
       values ($1, $2, $3, $4, 'SENDING', $5, $5)`,
      [sendId, shop.businessId, id, await entry(), time],
    );
    return sendId;
  };
  const [a, b, c] = [await open(eager, many), await open(eager, many), await open(eager, many)];
  const z = await open(modest, one);
  const turns: (string | undefined)[] = [];
  for (let turn = 0; turn < 9; turn += 1) turns.push(await claimNextSend(t.db));
  const fromEager = turns.filter((id) => id !== z);
  expect(turns).toEqual(turns.map((id, index) => (index % 2 === turns.indexOf(z) ? z : id)));
  expect(fromEager).toEqual([a, b, c, a, b].slice(0, fromEager.length));
  // A turn that ended in waiting for another try was a turn all the same.
  const waiting = (await claimNextSend(t.db)) ?? '';
  await pauseSend(t.db, waiting, now() + 60);
  const following = (await claimNextSend(t.db)) ?? '';
  expect([waiting, following].filter((id) => id === z)).toHaveLength(1);
  await pauseSend(t.db, waiting, 0);
  // What waits for another try is passed over, and is no reason for its business to wait.
  await pauseSend(t.db, z, now() + 60);
  await pauseSend(t.db, a, now() + 60);
  expect(new Set([await claimNextSend(t.db), await claimNextSend(t.db), await claimNextSend(t.db)])).toEqual(
    new Set([b, c]),
  );
  await t.db.sql(`update newsletter_sends set status = 'SENT'`);
  expect(await claimNextSend(t.db)).toBeUndefined();
});

it('forgets no send whose job comes a moment before its time', async () => {
  const [one, two] = [await letter(eager), await letter(modest)];
  await one.send();
  await two.send({ scheduledAt: now() + 3600 });
  const [{ id = '' } = {}] = await t.db.sql<{ id: string }>(
    `select id from newsletter_sends where collection_id = $1`,
    [two.id],
  );
  await t.db.sql(`delete from pgboss.job where name = $1 and singleton_key = $2`, [
    sendNewsletterJob.name,
    id,
  ]);
  await sendNewsletterJob.run(t.app.services, { sendId: id });
  const jobs = await t.db.sql(`select 1 from pgboss.job where name = $1 and singleton_key = $2`, [
    sendNewsletterJob.name,
    id,
  ]);
  expect([sent.at(-1), jobs.length]).toEqual([one.id, 1]);
});
