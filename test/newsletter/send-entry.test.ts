/** sendEntry: one send to all active subscribers, with retries and failures. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { collectNewsletterRecipients } from '../../src/domains/newsletter/sending/collect-recipients.ts';
import { resumeNewsletterSendsJob } from '../../src/domains/newsletter/sending/resume-sends.ts';
import { startNewsletterSend } from '../../src/domains/newsletter/sending/start-and-finish-send.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { type MailMessage, MailRejectedError, type MailSender } from '../../src/ports/mail.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;
let other: Shop;
let guest: Person;
let editor: Person;
let base: string;
const mails: MailMessage[] = [];
let onSend: (message: MailMessage) => Promise<void> | void = () => {};

const mail: MailSender = {
  embedded: true,
  async send(message) {
    await onSend(message);
    mails.push(message);
  },
};

beforeAll(async () => {
  t = await testApp({ NEWSLETTER_PER_SECOND: '10000', PUBLIC_URL: 'https://api.duet.test' });
  Object.assign(t.app.services, { mail });
  [shop, other, guest] = await Promise.all([t.shop(), t.shop(), t.guest()]);
  editor = await t.addMember(shop, await t.person(), 'EDITOR');
  base = `/v1/businesses/${shop.businessId}`;
});

beforeEach(() => {
  mails.length = 0;
  onSend = () => {};
});

async function collect(sendId: string, hasTime = () => true, batchSize?: number): Promise<boolean> {
  const started = await startNewsletterSend(t.app.services, sendId);
  return (
    started !== undefined && collectNewsletterRecipients(t.app.services, started.send, hasTime, batchSize)
  );
}

async function createNewsletterEntry(subscribers: string[], type = 'NEWSLETTER') {
  const { body: collection } = await t.rest<{ id: string }>('POST', `${base}/collections`, {
    as: editor,
    body: { name: 'Letter', type, blocks: [] },
  });
  for (const email of subscribers)
    await t.rest('POST', `${base}/collections/${collection.id}/subscribe`, {
      as: guest,
      body: { email, name: 'Ada' },
    });
  const { body: entry } = await t.rest<{ id: string }>('POST', `${base}/entries`, {
    as: editor,
    body: {
      collectionId: collection.id,
      blocks: [
        { id: 'subject', type: 'TEXT', value: 'News for {{subscriberName}}' },
        { id: 'body', type: 'TEXT', settings: { variant: 'HTML' }, value: '<p>Hello</p>' },
      ],
    },
  });
  return { collectionId: collection.id, entryId: entry.id };
}

interface Receipt {
  success: boolean;
  sendId: string;
  scheduledAt: number;
  recipients: number;
}

const send = (entryId: string, body: object = {}, as: Person | undefined = editor) =>
  t.rest<Receipt>('POST', `${base}/entries/${entryId}/send`, { as, body });

const progress = async (entryId: string, as: Person = editor) => {
  const { data, errors } = await t.graphql(
    'query($b: ID!, $id: ID!) { entry(businessId: $b, id: $id) { newsletterSend { status recipients sent failed } } }',
    { b: shop.businessId, id: entryId },
    { as },
  );
  expect(errors).toEqual([]);
  return (data?.entry as { newsletterSend: object | null } | undefined)?.newsletterSend;
};

const emails = (count: number) => Array.from({ length: count }, () => `${newId()}@mail.example`);
/** Makes scheduled send jobs due. */
const makeJobsDue = () =>
  t.db.sql(`update pgboss.job set start_after = now() where name = 'newsletter-send' and state = 'created'`);
const makeRecipientsDue = () =>
  t.db.write('update newsletter_recipients set free_at = 0 where claim is null');

describe('sendEntry', () => {
  it('mails every active subscriber once, with the headers of a list mail', async () => {
    const [first = '', second = '', cancelled = ''] = emails(3);
    const { entryId, collectionId } = await createNewsletterEntry([first, second, cancelled]);
    await t.db.prisma.subscription.updateMany({ where: { key: cancelled }, data: { status: 'CANCELLED' } });
    const receipt = await send(entryId);
    expect([receipt.status, receipt.body]).toEqual([
      200,
      { success: true, sendId: expect.any(String), scheduledAt: expect.any(Number), recipients: 2 },
    ]);
    expect(await progress(entryId)).toEqual({ status: 'SCHEDULED', recipients: 0, sent: 0, failed: 0 });
    await t.app.drainJobs();
    expect(mails.map(({ to }) => to).sort()).toEqual([first, second].sort());
    const message = mails[0] as MailMessage;
    const url = /^<(.+)>$/.exec(message.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? '';
    expect(message).toEqual({
      to: message.to,
      subject: 'News for Ada',
      html: expect.stringContaining('<p>Hello</p>'),
      text: expect.stringContaining('Hello'),
      messageId: expect.stringMatching(
        new RegExp(`^<${receipt.body.sendId}\\.[0-9a-f-]{36}@api\\.duet\\.test>$`),
      ),
      headers: {
        'List-Id': `<${collectionId}.api.duet.test>`,
        'List-Unsubscribe': expect.stringMatching(/^<https:\/\/api\.duet\.test\/v1\/.+token=[\w-]+>$/),
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    });
    expect(await progress(entryId)).toEqual({ status: 'SENT', recipients: 2, sent: 2, failed: 0 });
    const clicked = await t.app.fetch(
      new Request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      }),
    );
    expect(clicked.status).toBe(200);
    expect(await t.db.prisma.subscription.findFirst({ where: { key: message.to } })).toMatchObject({
      status: 'UNSUBSCRIBED',
    });
  });

  it('sends once for repeated and concurrent requests', async () => {
    const { entryId } = await createNewsletterEntry(emails(3));
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(entryId)));
    expect(new Set(answers.map(({ body }) => body.sendId)).size).toBe(1);
    await t.app.drainJobs();
    const again = await send(entryId, { scheduledAt: now() + 3600 });
    expect(again.body).toEqual(answers[0]?.body);
    await t.app.drainJobs();
    expect(mails).toHaveLength(3);
  });

  it('waits for scheduledAt and uses the content and subscribers of that time', async () => {
    const { entryId, collectionId } = await createNewsletterEntry(emails(1));
    const scheduledAt = now() + 3600;
    const receipt = await send(entryId, { scheduledAt });
    expect(receipt.body).toMatchObject({ scheduledAt, recipients: 1 });
    await t.app.drainJobs();
    expect(mails).toHaveLength(0);
    await t.rest('PUT', `${base}/entries/${entryId}`, {
      as: editor,
      body: { blocks: [{ id: 'subject', type: 'TEXT', value: 'Changed' }] },
    });
    await t.rest('POST', `${base}/collections/${collectionId}/subscribe`, {
      as: guest,
      body: { email: emails(1)[0] },
    });
    await makeJobsDue();
    await t.app.drainJobs();
    expect(mails.map(({ subject }) => subject)).toEqual(['Changed', 'Changed']);
  });

  it('treats a past time as now and rejects invalid times', async () => {
    const { entryId } = await createNewsletterEntry(emails(1));
    expect((await send(entryId, { scheduledAt: 'tomorrow' })).status).toBe(422);
    expect((await send(entryId, { scheduledAt: 2 ** 45 })).status).toBe(422);
    const { body } = await send(entryId, { scheduledAt: 1 });
    expect(body.scheduledAt).toBeGreaterThan(now() - 60);
    await t.app.drainJobs();
    expect(mails).toHaveLength(1);
  });

  it('requires an entry of a newsletter and NEWSLETTER_SEND', async () => {
    const { entryId: blogPost } = await createNewsletterEntry([], 'STANDARD');
    expect(await send(blogPost)).toMatchObject({
      status: 422,
      body: { details: [{ field: 'owner', error: 'NOT_A_NEWSLETTER' }] },
    });
    const { body: note } = await t.rest<{ id: string }>('POST', `${base}/entries`, {
      as: editor,
      body: { owner: 'reservation:r1' },
    });
    expect((await send(note.id)).status).toBe(422);
    const { entryId } = await createNewsletterEntry(emails(1));
    for (const [as, status] of [
      [guest, 403],
      [other.admin, 404],
    ] as const)
      expect((await send(entryId, {}, as)).status).toBe(status);
    expect((await t.rest('POST', `${base}/entries/${entryId}/send`, { body: {} })).status).toBe(401);
    expect((await send(newId())).status).toBe(404);
    await t.rest('PUT', `${base}/entries/${entryId}`, { as: editor, body: { status: 'PUBLISHED' } });
    await send(entryId);
    expect(await progress(entryId, guest)).toBeNull();
  });

  it('finishes without mails when there are no subscribers', async () => {
    const { entryId } = await createNewsletterEntry([]);
    expect((await send(entryId)).body.recipients).toBe(0);
    await t.app.drainJobs();
    expect(await progress(entryId)).toEqual({ status: 'SENT', recipients: 0, sent: 0, failed: 0 });
  });
});

describe('failures', () => {
  it('retries temporary failures and fails permanent rejections', async () => {
    const [good = '', late = '', bad = ''] = emails(3);
    const { entryId } = await createNewsletterEntry([good, late, bad]);
    let failures = 2;
    onSend = ({ to }) => {
      if (to === bad) throw new MailRejectedError('no such mailbox');
      if (to === late && failures-- > 0) throw new Error('421 try again later');
    };
    await send(entryId);
    await t.app.drainJobs();
    expect(await progress(entryId)).toEqual({ status: 'SENDING', recipients: 3, sent: 1, failed: 1 });
    for (let time = 0; time < 2; time += 1) {
      await makeRecipientsDue();
      await makeJobsDue();
      await t.app.drainJobs();
    }
    expect(mails.map(({ to }) => to)).toEqual([good, late]);
    expect(await progress(entryId)).toEqual({ status: 'SENT', recipients: 3, sent: 2, failed: 1 });
  });

  it('fails a recipient after ten attempts', async () => {
    const { entryId } = await createNewsletterEntry(emails(1));
    onSend = () => {
      throw new Error('still down');
    };
    await send(entryId);
    await t.app.drainJobs();
    await t.db.write(`update newsletter_recipients set attempts = 9 where status = 'WAITING'`);
    await makeRecipientsDue();
    await resumeNewsletterSendsJob.run(t.app.services, {});
    await makeJobsDue();
    await t.app.drainJobs();
    expect(await progress(entryId)).toEqual({ status: 'SENT', recipients: 1, sent: 0, failed: 1 });
  });

  it('does not use up the attempts of other recipients while the mail server is down', async () => {
    const { entryId } = await createNewsletterEntry(emails(60));
    let down = true;
    onSend = () => {
      if (down) throw new Error('connect ECONNREFUSED');
    };
    const { body } = await send(entryId);
    await t.app.drainJobs();
    const [attempted] = await t.db.sql<{ count: number }>(
      'select count(*)::int as count from newsletter_recipients where send_id = $1 and attempts > 0',
      [body.sendId],
    );
    expect(attempted?.count).toBeLessThan(30);
    down = false;
    await makeJobsDue();
    await t.app.drainJobs();
    await makeRecipientsDue();
    await makeJobsDue();
    await t.app.drainJobs();
    expect(await progress(entryId)).toEqual({ status: 'SENT', recipients: 60, sent: 60, failed: 0 });
    expect(new Set(mails.map(({ to }) => to)).size).toBe(60);
  });

  it('skips recipients who unsubscribe during the send', async () => {
    const list = emails(30);
    const { entryId } = await createNewsletterEntry(list);
    await send(entryId);
    let unsubscribing: Promise<unknown> | undefined;
    // Every mail waits for this update, so the last recipient is not claimed yet.
    onSend = async () => {
      unsubscribing ??= t.db.prisma.subscription
        .updateMany({ where: { key: list.at(-1) ?? '' }, data: { status: 'UNSUBSCRIBED' } })
        .then();
      await unsubscribing;
    };
    await t.app.drainJobs();
    const reached = new Set(mails.map(({ to }) => to));
    expect(reached.has(list.at(-1) ?? '')).toBe(false);
    expect(await progress(entryId)).toEqual({ status: 'SENT', recipients: 29, sent: 29, failed: 0 });
  });

  it('collects recipients in batches and continues after an interruption', async () => {
    const { entryId } = await createNewsletterEntry(emails(5));
    const { body } = await send(entryId);
    let batches = 0;
    expect(await collect(body.sendId, () => batches++ < 2, 2)).toBe(false);
    const list = () => t.db.sql('select 1 from newsletter_recipients where send_id = $1', [body.sendId]);
    expect(await list()).toHaveLength(4);
    expect(mails).toEqual([]);
    await t.app.drainJobs();
    expect(mails).toHaveLength(5);
    expect(await progress(entryId)).toEqual({ status: 'SENT', recipients: 5, sent: 5, failed: 0 });
  });

  it('skips recipients claimed by another process and claims them when the lease has expired', async () => {
    const [free = '', claimed = ''] = emails(2);
    const { entryId } = await createNewsletterEntry([free, claimed]);
    const { body } = await send(entryId);
    await collect(body.sendId);
    // Simulates another process that claimed one recipient and died.
    await t.db.write(
      `update newsletter_recipients r set claim = gen_random_uuid(), free_at = (extract(epoch from clock_timestamp()) * 1000)::bigint + 20000
       from subscriptions s where s.id = r.subscription_id and r.send_id = $1 and s.email = $2`,
      [body.sendId, claimed],
    );
    await t.app.drainJobs();
    expect(mails.map(({ to }) => to)).toEqual([free]);
    expect(await progress(entryId)).toEqual({ status: 'SENDING', recipients: 2, sent: 1, failed: 0 });
    await t.db.write('update newsletter_recipients set free_at = 0 where send_id = $1', [body.sendId]);
    await makeJobsDue();
    await t.app.drainJobs();
    expect(mails.map(({ to }) => to)).toEqual([free, claimed]);
    expect(await progress(entryId)).toEqual({ status: 'SENT', recipients: 2, sent: 2, failed: 0 });
  });

  it('is resumed by the resume job when its own job is lost', async () => {
    const { entryId } = await createNewsletterEntry(emails(2));
    await send(entryId);
    await t.db.write(`delete from pgboss.job where name = 'newsletter-send'`);
    await resumeNewsletterSendsJob.run(t.app.services, {});
    await t.app.drainJobs();
    expect(mails).toHaveLength(0);
    await t.db.write(`update newsletter_sends set scheduled_at = scheduled_at - 60`);
    await resumeNewsletterSendsJob.run(t.app.services, {});
    await resumeNewsletterSendsJob.run(t.app.services, {});
    await t.app.drainJobs();
    expect(mails).toHaveLength(2);
  });

  it('stops when its entry is deleted', async () => {
    const { entryId } = await createNewsletterEntry(emails(2));
    await send(entryId);
    expect((await t.rest('DELETE', `${base}/entries/${entryId}`, { as: editor })).status).toBe(200);
    await t.app.drainJobs();
    expect(mails).toHaveLength(0);
  });
});
