/** Fair scheduling of newsletters: round robin over businesses, then over the sends of each. */
import { beforeAll, expect, it } from 'vitest';
import { sendNewsletterJob } from '../../src/domains/newsletter/sending/deliver-newsletter.ts';
import {
  claimNextNewsletterSend,
  pauseNewsletterSend,
} from '../../src/domains/newsletter/sending/fair-scheduling.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import type { MailSender } from '../../src/ports/mail.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let busyShop: Shop;
let quietShop: Shop;
let guest: Person;
const sent: string[] = [];

const mail: MailSender = {
  embedded: true,
  async send({ headers }) {
    sent.push(headers?.['List-Id']?.split('.')[0]?.slice(1) ?? '');
  },
};

beforeAll(async () => {
  t = await testApp({ NEWSLETTER_PER_SECOND: '10000' });
  Object.assign(t.app.services, { mail });
  [busyShop, quietShop, guest] = await Promise.all([t.shop(), t.shop(), t.guest()]);
});

/** Creates a newsletter with one subscriber; `send` creates and sends an entry of it. */
async function createNewsletter({ businessId, admin }: Shop) {
  const base = `/v1/businesses/${businessId}`;
  const post = async (path: string, body: object, as = admin) => {
    const response = await t.rest<{ id: string }>('POST', `${base}/${path}`, { as, body });
    expect(response.status, JSON.stringify(response.body)).toBe(200);
    return response.body.id;
  };
  const id = await post('collections', { name: 'Letter', type: 'NEWSLETTER', blocks: [] });
  await post(`collections/${id}/subscribe`, { email: `${newId()}@mail.example`, name: 'Ada' }, guest);
  const entry = () => post('entries', { collectionId: id, blocks: [] });
  return {
    id,
    entry,
    send: async (body: object = {}) => void (await post(`entries/${await entry()}/send`, body)),
  };
}

it('serves a single send after the first send of a business with many', async () => {
  const [busy, quiet] = [await createNewsletter(busyShop), await createNewsletter(quietShop)];
  for (let count = 0; count < 4; count += 1) await busy.send();
  await quiet.send();
  await t.app.drainJobs();
  expect(sent).toEqual([busy.id, quiet.id, busy.id, busy.id, busy.id]);
  // Waiting gives no priority, and a send scheduled for later costs none.
  sent.length = 0;
  await quiet.send({ scheduledAt: now() + 3600 });
  for (let count = 0; count < 2; count += 1) await busy.send();
  for (let count = 0; count < 2; count += 1) await quiet.send();
  await t.app.drainJobs();
  expect(sent).toEqual([quiet.id, busy.id, quiet.id, busy.id]);
});

it('rotates over businesses, and over the sends of each business', async () => {
  const [busy, quiet] = [await createNewsletter(busyShop), await createNewsletter(quietShop)];
  await t.db.write(`update newsletter_sends set status = 'SENT'`);
  const insertSend = async (shop: Shop, { id, entry }: typeof busy) => {
    const [sendId, time] = [newId(), now()];
    await t.db.write(
      `insert into newsletter_sends (id, business_id, collection_id, entry_id, status, scheduled_at, created_at)
       values ($1, $2, $3, $4, 'SENDING', $5, $5)`,
      [sendId, shop.businessId, id, await entry(), time],
    );
    return sendId;
  };
  const [a, b, c] = [
    await insertSend(busyShop, busy),
    await insertSend(busyShop, busy),
    await insertSend(busyShop, busy),
  ];
  const z = await insertSend(quietShop, quiet);
  const claimed: (string | undefined)[] = [];
  for (let slice = 0; slice < 9; slice += 1) claimed.push(await claimNextNewsletterSend(t.db));
  const fromBusy = claimed.filter((id) => id !== z);
  expect(claimed).toEqual(claimed.map((id, index) => (index % 2 === claimed.indexOf(z) ? z : id)));
  expect(fromBusy).toEqual([a, b, c, a, b].slice(0, fromBusy.length));
  // A slice that ended with a pause counts as a slice.
  const paused = (await claimNextNewsletterSend(t.db)) ?? '';
  await pauseNewsletterSend(t.db, paused, now() + 60);
  const next = (await claimNextNewsletterSend(t.db)) ?? '';
  expect([paused, next].filter((id) => id === z)).toHaveLength(1);
  await pauseNewsletterSend(t.db, paused, 0);
  // A paused send is skipped and does not hold back its business.
  await pauseNewsletterSend(t.db, z, now() + 60);
  await pauseNewsletterSend(t.db, a, now() + 60);
  expect(
    new Set([
      await claimNextNewsletterSend(t.db),
      await claimNextNewsletterSend(t.db),
      await claimNextNewsletterSend(t.db),
    ]),
  ).toEqual(new Set([b, c]));
  await t.db.write(`update newsletter_sends set status = 'SENT'`);
  expect(await claimNextNewsletterSend(t.db)).toBeUndefined();
});

it('enqueues a send again when its job runs before scheduledAt', async () => {
  const [due, scheduled] = [await createNewsletter(busyShop), await createNewsletter(quietShop)];
  await due.send();
  await scheduled.send({ scheduledAt: now() + 3600 });
  const [{ id = '' } = {}] = await t.db.sql<{ id: string }>(
    `select id from newsletter_sends where collection_id = $1`,
    [scheduled.id],
  );
  await t.db.write(`delete from pgboss.job where name = $1 and singleton_key = $2`, [
    sendNewsletterJob.name,
    id,
  ]);
  await sendNewsletterJob.run(t.app.services, { sendId: id });
  const jobs = await t.db.sql(`select 1 from pgboss.job where name = $1 and singleton_key = $2`, [
    sendNewsletterJob.name,
    id,
  ]);
  expect([sent.at(-1), jobs.length]).toEqual([due.id, 1]);
});
