/** A newsletter reaches every subscriber although its processes are killed. NEWSLETTER_SIZE=10000 runs the full size. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open-db.ts';
import { TestApp } from '../support/app.ts';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { type Gateway, startGateway } from '../support/gateway-process.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

const size = Number(process.env.NEWSLETTER_SIZE ?? 600);
const concurrency = 10;
const kills = 3;
const minuteMs = 60_000;

let sink: SmtpSink;
beforeAll(async () => {
  sink = await startSmtpSink({ delayMs: 10 });
});
afterAll(() => sink.close());

const running = new Set<Gateway>();
afterAll(async () => {
  await Promise.all([...running].map((gateway) => gateway.kill()));
});

/** Creates a newsletter with `size` subscribers in a separate database, and starts its send. */
async function createNewsletter(perSecond: number) {
  const url = await auditedDatabaseUrl();
  const env = {
    DATABASE_URL: url,
    SMTP_URL: sink.url,
    TRUSTED_BUSINESSES: 'all',
    NEWSLETTER_CONCURRENCY: String(concurrency),
    NEWSLETTER_PER_SECOND: String(perSecond),
  };
  const db = await openDb({ url });
  afterAll(() => db.close());
  const app = await createApp({ config: readConfig(env), db, log: pino({ level: 'silent' }) });
  const t = new TestApp(app, db, []);
  const shop = await t.shop();
  const post = async (path: string, body: object) => {
    const response = await t.rest<{ id: string; recipients: number }>(
      'POST',
      `/v1/businesses/${shop.businessId}/${path}`,
      { as: shop.admin, body },
    );
    expect(response.status).toBe(200);
    return response.body;
  };
  const { id: collectionId } = await post('collections', { name: 'Weekly', type: 'NEWSLETTER' });
  const domain = `${collectionId}.example`;
  await db.write(
    `insert into subscriptions (id, business_id, collection_id, email, key, name, status, created_at, updated_at)
     select gen_random_uuid(), $1, $2, 'reader-' || n || '@' || $3::text, 'reader-' || n || '@' || $3::text, 'Reader ' || n, 'ACTIVE', 0, 0
     from generate_series(1, $4::int) n`,
    [shop.businessId, collectionId, domain, size],
  );
  const { id: entryId } = await post('entries', {
    collectionId,
    blocks: [
      { id: 'subject', type: 'TEXT', value: 'News for {{subscriberName}}' },
      { id: 'body', type: 'TEXT', value: 'Hello. '.repeat(500) },
    ],
  });
  const { sendId } = (await post(`entries/${entryId}/send`, {})) as unknown as { sendId: string };
  return {
    /** `name` is the client name of the gateway in SMTP. */
    async startGateway(name = 'gateway') {
      const gateway = await startGateway({ ...env, SMTP_URL: `${sink.url}?name=${name}` });
      running.add(gateway);
      return gateway;
    },
    countReached: () => [...sink.recipients].filter((address) => address.endsWith(domain)).length,
    /** Number of mails with a Message-ID that was received before. */
    countDuplicates() {
      const counts = [...sink.countsByMessageId]
        .filter(([id]) => id.startsWith(`<${sendId}.`))
        .map(([, count]) => count);
      expect(counts).toHaveLength(size);
      return counts.reduce((sum, count) => sum + count - 1, 0);
    },
    async progress() {
      const { data } = await t.graphql(
        'query($b: ID!, $id: ID!) { entry(businessId: $b, id: $id) { newsletterSend { status recipients sent failed } } }',
        { b: shop.businessId, id: entryId },
        { as: shop.admin },
      );
      return (data?.entry as { newsletterSend: { status: string } } | undefined)?.newsletterSend;
    },
  };
}

async function until(condition: () => boolean | Promise<boolean>, everyMs = 20): Promise<void> {
  while (!(await condition())) await sleep(everyMs);
}

it(
  `reaches ${size} subscribers through ${kills} kills, with no more duplicates than mails in flight`,
  async () => {
    const newsletter = await createNewsletter(Math.max(150, size / 20));
    const killAfter = Array.from({ length: kills }, () =>
      randomInt(Math.floor(size * 0.05), Math.floor(size * 0.9)),
    );
    let gateway = await newsletter.startGateway();
    for (const mails of killAfter.sort((a, b) => a - b)) {
      await until(() => newsletter.countReached() >= mails);
      await gateway.kill();
      gateway = await newsletter.startGateway();
    }
    await until(async () => (await newsletter.progress())?.status === 'SENT', 500);
    await gateway.kill();
    const duplicates = newsletter.countDuplicates();
    console.log(
      `kills after ${killAfter.join(', ')} mails: ${newsletter.countReached()} subscribers reached, ${duplicates} duplicates`,
    );
    expect(await newsletter.progress()).toEqual({ status: 'SENT', recipients: size, sent: size, failed: 0 });
    expect(newsletter.countReached()).toBe(size);
    expect(duplicates).toBeLessThanOrEqual(kills * concurrency);
  },
  10 * minuteMs,
);

it(
  'sends from two processes at once without duplicates, in bounded memory',
  async () => {
    const newsletter = await createNewsletter(Math.max(100, size / 30));
    const first = await newsletter.startGateway('first');
    await until(() => newsletter.countReached() > size * 0.05);
    const second = await newsletter.startGateway('second');
    const initial = await Promise.all([first.memory(), second.memory()]);
    const peaks = [...initial];
    await until(async () => {
      for (const [index, gateway] of [first, second].entries())
        peaks[index] = Math.max(peaks[index] ?? 0, await gateway.memory());
      return (await newsletter.progress())?.status === 'SENT';
    }, 250);
    // Compared with a process that is already sending, whose working memory is no growth.
    const growth = peaks.map((peak) => Math.round(peak - Math.max(...initial)));
    const duplicates = newsletter.countDuplicates();
    const shares = ['first', 'second'].map((name) => sink.countsByClientName.get(name) ?? 0);
    console.log(
      `two processes sent ${shares.join(' and ')}: ${duplicates} duplicates, memory grew by ${growth.join(' and ')} MB`,
    );
    for (const share of shares) expect(share).toBeGreaterThan(size / 20);
    expect(newsletter.countReached()).toBe(size);
    expect(duplicates).toBe(0);
    for (const megabytes of growth) expect(megabytes).toBeLessThan(100);
  },
  10 * minuteMs,
);
