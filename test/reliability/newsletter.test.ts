/** A newsletter reaches everybody once, whatever happens to the processes that send it. NEWSLETTER_SIZE=10000 for the full size. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open.ts';
import { TestApp } from '../support/app.ts';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { type Gateway, startGateway } from '../support/gateway-process.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

const size = Number(process.env.NEWSLETTER_SIZE ?? 600);
const concurrency = 10;
const kills = 3;
const minutes = 60_000;

let sink: SmtpSink;
beforeAll(async () => {
  sink = await startSmtpSink({ delayMs: 10 });
});
afterAll(() => sink.close());

const running = new Set<Gateway>();
afterAll(async () => {
  await Promise.all([...running].map((gateway) => gateway.kill()));
});

/** A newsletter with `size` subscribers in a database of its own; `send` asks for the send as an editor would. */
async function newsletter(perSecond: number) {
  const url = await auditedDatabaseUrl();
  const env = {
    DATABASE_URL: url,
    SMTP_URL: sink.url,
    NEWSLETTER_CONCURRENCY: String(concurrency),
    NEWSLETTER_PER_SECOND: String(perSecond),
  };
  const db = await openDb({ url });
  afterAll(() => db.close());
  const app = await createApp({ config: readConfig(env), db, log: pino({ level: 'silent' }) });
  const t = new TestApp(app, db, []);
  const shop = await t.shop();
  const post = async (path: string, body: object) => {
    const answer = await t.rest<{ id: string; recipients: number }>(
      'POST',
      `/v1/businesses/${shop.businessId}/${path}`,
      { as: shop.admin, body },
    );
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const { id: collectionId } = await post('collections', { name: 'Weekly', type: 'NEWSLETTER' });
  const domain = `${collectionId}.example`;
  await db.sql(
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
    /** `name` is what it calls itself when it hands over mail. */
    async gateway(name = 'gateway') {
      const gateway = await startGateway({ ...env, SMTP_URL: `${sink.url}?name=${name}` });
      running.add(gateway);
      return gateway;
    },
    reached: () => [...sink.recipients].filter((address) => address.endsWith(domain)).length,
    /** Mails that came in more than once, by their Message-ID. */
    duplicates() {
      const counts = [...sink.countsByMessageId].filter(([id]) => id.startsWith(`<${sendId}.`)).map(([, count]) => count);
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
  `reaches ${size} readers through ${kills} kills, with no more duplicates than mails in flight`,
  async () => {
    const letter = await newsletter(Math.max(150, size / 20));
    const moments = Array.from({ length: kills }, () =>
      randomInt(Math.floor(size * 0.05), Math.floor(size * 0.9)),
    );
    let gateway = await letter.gateway();
    for (const moment of moments.sort((a, b) => a - b)) {
      await until(() => letter.reached() >= moment);
      await gateway.kill();
      gateway = await letter.gateway();
    }
    await until(async () => (await letter.progress())?.status === 'SENT', 500);
    await gateway.kill();
    const duplicates = letter.duplicates();
    console.log(
      `kills after ${moments.join(', ')} mails: ${letter.reached()} readers reached, ${duplicates} duplicates`,
    );
    expect(await letter.progress()).toEqual({ status: 'SENT', recipients: size, sent: size, failed: 0 });
    expect(letter.reached()).toBe(size);
    expect(duplicates).toBeLessThanOrEqual(kills * concurrency);
  },
  10 * minutes,
);

it(
  'sends from two processes at once without a single duplicate, in bounded memory',
  async () => {
    const letter = await newsletter(Math.max(100, size / 30));
    const first = await letter.gateway('first');
    await until(() => letter.reached() > size * 0.05);
    const second = await letter.gateway('second');
    const started = await Promise.all([first.memory(), second.memory()]);
    const peaks = [...started];
    await until(async () => {
      for (const [index, gateway] of [first, second].entries())
        peaks[index] = Math.max(peaks[index] ?? 0, await gateway.memory());
      return (await letter.progress())?.status === 'SENT';
    }, 250);
    // Against one that is at work: what a process needs for that is not what grows.
    const growth = peaks.map((peak) => Math.round(peak - Math.max(...started)));
    const duplicates = letter.duplicates();
    const shares = ['first', 'second'].map((name) => sink.countsByClientName.get(name) ?? 0);
    console.log(
      `two processes sent ${shares.join(' and ')}: ${duplicates} duplicates, memory grew by ${growth.join(' and ')} MB`,
    );
    for (const share of shares) expect(share).toBeGreaterThan(size / 20);
    expect(letter.reached()).toBe(size);
    expect(duplicates).toBe(0);
    for (const grown of growth) expect(grown).toBeLessThan(100);
  },
  10 * minutes,
);
