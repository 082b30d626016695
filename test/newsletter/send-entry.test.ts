/** Sending an entry: once, to everybody who is subscribed, with what goes wrong on the way. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resumeSendsJob } from '../../src/domains/newsletter/jobs.ts';
import { collectRecipients, startSend } from '../../src/domains/newsletter/sending/send-progress.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { type Mail, type MailMessage, MailRejectedError } from '../../src/ports/mail.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;
let other: Shop;
let guest: Person;
let editor: Person;
let base: string;
const mails: MailMessage[] = [];
let onSend: (message: MailMessage) => Promise<void> | void = () => {};

const mail: Mail = {
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
  editor = await t.hire(shop, await t.person(), 'EDITOR');
  base = `/v1/businesses/${shop.businessId}`;
});

beforeEach(() => {
  mails.length = 0;
  onSend = () => {};
});

async function gathered(sendId: string, goOn = () => true, atOnce?: number): Promise<boolean> {
  const begun = await startSend(t.app.services, sendId);
  return begun !== undefined && collectRecipients(t.app.services, begun.send, goOn, atOnce);
}

async function letter(subscribers: string[], type = 'NEWSLETTER') {
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
/** What waits for its time is due. */
const soon = () =>
  t.db.sql(`update pgboss.job set start_after = now() where name = 'newsletter-send' and state = 'created'`);
const dueNow = () => t.db.sql('update newsletter_recipients set free_at = 0 where claim is null');

describe('sending', () => {
  it('mails every active subscriber once, with all that a list mail needs', async () => {
    const [first = '', second = '', gone = ''] = emails(3);
    const { entryId, collectionId } = await letter([first, second, gone]);
    await t.db.prisma.subscription.updateMany({ where: { key: gone }, data: { status: 'CANCELLED' } });
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

  it('happens once, however often and however much at the same time it is asked for', async () => {
    const { entryId } = await letter(emails(3));
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(entryId)));
    expect(new Set(answers.map(({ body }) => body.sendId)).size).toBe(1);
    await t.app.drainJobs();
    const again = await send(entryId, { scheduledAt: now() + 3600 });
    expect(again.body).toEqual(answers[0]?.body);
    await t.app.drainJobs();
    expect(mails).toHaveLength(3);
  });

  it('waits for its time, and sends what the entry says by then to who is there by then', async () => {
    const { entryId, collectionId } = await letter(emails(1));
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
    await soon();
    await t.app.drainJobs();
    expect(mails.map(({ subject }) => subject)).toEqual(['Changed', 'Changed']);
  });

  it('takes a time that has passed for now, and refuses what is no time', async () => {
    const { entryId } = await letter(emails(1));
    expect((await send(entryId, { scheduledAt: 'tomorrow' })).status).toBe(422);
    expect((await send(entryId, { scheduledAt: 2 ** 45 })).status).toBe(422);
    const { body } = await send(entryId, { scheduledAt: 1 });
    expect(body.scheduledAt).toBeGreaterThan(now() - 60);
    await t.app.drainJobs();
    expect(mails).toHaveLength(1);
  });

  it('is for entries of newsletters, and for those who may', async () => {
    const { entryId: blogPost } = await letter([], 'STANDARD');
    expect(await send(blogPost)).toMatchObject({
      status: 422,
      body: { details: [{ field: 'owner', error: 'NOT_A_NEWSLETTER' }] },
    });
    const { body: note } = await t.rest<{ id: string }>('POST', `${base}/entries`, {
      as: editor,
      body: { owner: 'reservation:r1' },
    });
    expect((await send(note.id)).status).toBe(422);
    const { entryId } = await letter(emails(1));
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

  it('goes to nobody when nobody is there', async () => {
    const { entryId } = await letter([]);
    expect((await send(entryId)).body.recipients).toBe(0);
    await t.app.drainJobs();
    expect(await progress(entryId)).toEqual({ status: 'SENT', recipients: 0, sent: 0, failed: 0 });
  });
});

describe('when something goes wrong', () => {
  it('tries again after temporary trouble, and gives up on what is refused for good', async () => {
    const [good = '', late = '', bad = ''] = emails(3);
    const { entryId } = await letter([good, late, bad]);
    let troubles = 2;
    onSend = ({ to }) => {
      if (to === bad) throw new MailRejectedError('no such mailbox');
      if (to === late && troubles-- > 0) throw new Error('421 try again later');
    };
    await send(entryId);
    await t.app.drainJobs();
    expect(await progress(entryId)).toEqual({ status: 'SENDING', recipients: 3, sent: 1, failed: 1 });
    for (let time = 0; time < 2; time += 1) {
      await dueNow();
      await soon();
      await t.app.drainJobs();
    }
    expect(mails.map(({ to }) => to)).toEqual([good, late]);
    expect(await progress(entryId)).toEqual({ status: 'SENT', recipients: 3, sent: 2, failed: 1 });
  });

  it('gives up after ten tries', async () => {
    const { entryId } = await letter(emails(1));
    onSend = () => {
      throw new Error('still down');
    };
    await send(entryId);
    await t.app.drainJobs();
    await t.db.sql(`update newsletter_recipients set attempts = 9 where status = 'WAITING'`);
    await dueNow();
    await resumeSendsJob.run(t.app.services, {});
    await soon();
    await t.app.drainJobs();
    expect(await progress(entryId)).toEqual({ status: 'SENT', recipients: 1, sent: 0, failed: 1 });
  });

  it('keeps the tries of everybody else while the mail server is down', async () => {
    const { entryId } = await letter(emails(60));
    let down = true;
    onSend = () => {
      if (down) throw new Error('connect ECONNREFUSED');
    };
    const { body } = await send(entryId);
    await t.app.drainJobs();
    const [tried] = await t.db.sql<{ count: number }>(
      'select count(*)::int as count from newsletter_recipients where send_id = $1 and attempts > 0',
      [body.sendId],
    );
    expect(tried?.count).toBeLessThan(30);
    down = false;
    await soon();
    await t.app.drainJobs();
    await dueNow();
    await soon();
    await t.app.drainJobs();
    expect(await progress(entryId)).toEqual({ status: 'SENT', recipients: 60, sent: 60, failed: 0 });
    expect(new Set(mails.map(({ to }) => to)).size).toBe(60);
  });

  it('skips who unsubscribes while it is under way', async () => {
    const list = emails(30);
    const { entryId } = await letter(list);
    await send(entryId);
    let leaving: Promise<unknown> | undefined;
    // No mail leaves before that: the last of the list is not taken yet then.
    onSend = async () => {
      leaving ??= t.db.prisma.subscription
        .updateMany({ where: { key: list.at(-1) ?? '' }, data: { status: 'UNSUBSCRIBED' } })
        .then();
      await leaving;
    };
    await t.app.drainJobs();
    const reached = new Set(mails.map(({ to }) => to));
    expect(reached.has(list.at(-1) ?? '')).toBe(false);
    expect(await progress(entryId)).toEqual({ status: 'SENT', recipients: 29, sent: 29, failed: 0 });
  });

  it('gathers a long list piece by piece, and goes on where somebody stopped', async () => {
    const { entryId } = await letter(emails(5));
    const { body } = await send(entryId);
    let pieces = 0;
    expect(await gathered(body.sendId, () => pieces++ < 2, 2)).toBe(false);
    const list = () => t.db.sql('select 1 from newsletter_recipients where send_id = $1', [body.sendId]);
    expect(await list()).toHaveLength(4);
    expect(mails).toEqual([]);
    await t.app.drainJobs();
    expect(mails).toHaveLength(5);
    expect(await progress(entryId)).toEqual({ status: 'SENT', recipients: 5, sent: 5, failed: 0 });
  });

  it('leaves alone what another process has claimed, and takes it when the claim has run out', async () => {
    const [mine = '', theirs = ''] = emails(2);
    const { entryId } = await letter([mine, theirs]);
    const { body } = await send(entryId);
    await gathered(body.sendId);
    // As if another process had taken one of the two and died.
    await t.db.sql(
      `update newsletter_recipients r set claim = gen_random_uuid(), free_at = (extract(epoch from clock_timestamp()) * 1000)::bigint + 20000
       from subscriptions s where s.id = r.subscription_id and r.send_id = $1 and s.email = $2`,
      [body.sendId, theirs],
    );
    await t.app.drainJobs();
    expect(mails.map(({ to }) => to)).toEqual([mine]);
    expect(await progress(entryId)).toEqual({ status: 'SENDING', recipients: 2, sent: 1, failed: 0 });
    await t.db.sql('update newsletter_recipients set free_at = 0 where send_id = $1', [body.sendId]);
    await soon();
    await t.app.drainJobs();
    expect(mails.map(({ to }) => to)).toEqual([mine, theirs]);
    expect(await progress(entryId)).toEqual({ status: 'SENT', recipients: 2, sent: 2, failed: 0 });
  });

  it('is found again by the resume job when its own job is lost', async () => {
    const { entryId } = await letter(emails(2));
    await send(entryId);
    await t.db.sql(`delete from pgboss.job where name = 'newsletter-send'`);
    await resumeSendsJob.run(t.app.services, {});
    await t.app.drainJobs();
    expect(mails).toHaveLength(0);
    await t.db.sql(`update newsletter_sends set scheduled_at = scheduled_at - 60`);
    await resumeSendsJob.run(t.app.services, {});
    await resumeSendsJob.run(t.app.services, {});
    await t.app.drainJobs();
    expect(mails).toHaveLength(2);
  });

  it('stops when its entry is deleted', async () => {
    const { entryId } = await letter(emails(2));
    await send(entryId);
    expect((await t.rest('DELETE', `${base}/entries/${entryId}`, { as: editor })).status).toBe(200);
    await t.app.drainJobs();
    expect(mails).toHaveLength(0);
  });
});
