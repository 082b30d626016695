/** Subscribing, paying and unsubscribing, in both voices. */
import { beforeAll, describe, expect, it } from 'vitest';
import { unsubscribeToken } from '../../src/domains/newsletter/tokens.ts';
import { receiveEvent } from '../../src/domains/payments/receive-event.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import type { PaymentEvent } from '../../src/ports/payments.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';
import { fakePayments } from '../support/payments.ts';

let t: TestApp;
let shop: Shop;
let other: Shop;
let guest: Person;
let editor: Person;
let base: string;
let letter: string;
const { payments, sessions, expired, state } = fakePayments();

interface Subscription {
  id: string;
  status: string;
  planId?: string;
  checkoutUrl?: string;
}

beforeAll(async () => {
  t = await testApp();
  Object.assign(t.app.services, { payments });
  [shop, other, guest] = await Promise.all([t.shop(), t.shop(), t.guest()]);
  editor = await t.hire(shop, await t.person(), 'EDITOR');
  base = `/v1/businesses/${shop.businessId}/collections`;
  letter = await newsletter();
});

const plans = [
  { id: 'free', name: 'Free' },
  { id: 'zero', name: 'Zero', price: { amount: 0, currency: 'usd', interval: 'MONTHLY' } },
  { id: 'pro', name: 'Pro', price: { amount: 900, currency: 'usd', interval: 'MONTHLY' } },
  { id: 'max', name: 'Max', price: { amount: 1900, currency: 'usd', interval: 'MONTHLY' } },
];

async function newsletter(of: Shop = shop, body: object = {}): Promise<string> {
  const { body: created } = await t.rest<{ id: string }>(
    'POST',
    `/v1/businesses/${of.businessId}/collections`,
    { as: of.admin, body: { name: 'Letter', type: 'NEWSLETTER', plans, ...body } },
  );
  return created.id;
}

const fresh = () => `${newId()}@mail.example`;
const subscribe = (body: object, { list = letter, as = guest }: { list?: string; as?: Person } = {}) =>
  t.rest<Subscription>('POST', `${base}/${list}/subscribe`, { as, body });
const statusOf = async (id: string) =>
  (await t.db.prisma.subscription.findUniqueOrThrow({ where: { id } })).status;
const idOf = async (email: string) =>
  (await t.db.prisma.subscription.findFirstOrThrow({ where: { key: email.toLowerCase() } })).id;

describe('free plans', () => {
  it('are active at once, whatever the case of the email, and stay one subscription', async () => {
    const email = fresh();
    const first = await subscribe({ email, planId: 'free', market: 'US', name: 'Ada' });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      entity: `collection:${letter}`,
      email,
      planId: 'free',
      status: 'ACTIVE',
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    const again = await subscribe({ email: ` ${email.toUpperCase()} `, plan_id: 'zero' });
    expect(again.body).toEqual(first.body);
    const viaGraphql = await t.graphql(
      `mutation($b: ID!, $c: ID!, $e: String!) { subscribe(businessId: $b, collectionId: $c, input: { email: $e, planId: "free" }) {
        checkoutUrl subscription { id name status } } }`,
      { b: shop.businessId, c: letter, e: email },
      { as: guest },
    );
    expect(viaGraphql.data).toEqual({
      subscribe: { checkoutUrl: null, subscription: { id: first.body.id, name: 'Ada', status: 'ACTIVE' } },
    });
  });

  it('make one subscription of fifty at the same time', async () => {
    const email = fresh();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_item, index) =>
        subscribe({ email: index % 2 ? email : email.toUpperCase(), planId: 'free' }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it('need no plan where there are none', async () => {
    const list = await newsletter(shop, { plans: [] });
    const { body } = await subscribe({ email: fresh() }, { list });
    expect(body).toMatchObject({ status: 'ACTIVE' });
    expect(body).not.toHaveProperty('planId');
    expect((await subscribe({ email: fresh(), planId: 'free' }, { list })).status).toBe(422);
  });

  it.each([
    [{ planId: 'free' }, 'email REQUIRED'],
    [{ email: 'nobody', planId: 'free' }, 'email INVALID_FORMAT'],
    [{ email: 'a@x.example\r\nBcc: b@x.example', planId: 'free' }, 'email INVALID_FORMAT'],
    [{ email: 'a@x.example', planId: 'gold' }, 'planId PLAN_NOT_FOUND'],
    [{ email: 'a@x.example' }, 'planId REQUIRED'],
    [{ email: 7, planId: 'free' }, 'email INVALID_TYPE'],
  ])('refuse %j', async (body, fault) => {
    const answer = await t.rest<{ details: { field: string; error: string }[] }>(
      'POST',
      `${base}/${letter}/subscribe`,
      { as: guest, body },
    );
    expect(answer.status).toBe(422);
    expect(answer.body.details.map(({ field, error }) => `${field} ${error}`)).toEqual([fault]);
  });

  it('are for newsletters that the caller may see', async () => {
    const { body: blog } = await t.rest<{ id: string }>('POST', base, { as: editor, body: { name: 'Blog' } });
    expect(await subscribe({ email: fresh() }, { list: blog.id })).toMatchObject({
      status: 422,
      body: { details: [{ field: 'collectionId', error: 'NOT_A_NEWSLETTER' }] },
    });
    const hidden = await newsletter(shop, { status: 'DRAFT' });
    expect((await subscribe({ email: fresh(), planId: 'free' }, { list: hidden })).status).toBe(404);
    const theirs = await newsletter(other);
    expect((await subscribe({ email: fresh(), planId: 'free' }, { list: theirs })).status).toBe(404);
    const nobody = await t.rest('POST', `${base}/${letter}/subscribe`, { body: { email: 'a@x.example' } });
    expect(nobody.status).toBe(401);
  });

  it('answer the same under the same key, and refuse another request under it', async () => {
    const headers = { 'idempotency-key': 'subscribe-1' };
    const call = (email: string) =>
      t.rest('POST', `${base}/${letter}/subscribe`, { as: guest, headers, body: { email, planId: 'free' } });
    const email = fresh();
    expect((await call(email)).body).toEqual((await call(email)).body);
    expect((await call(fresh())).status).toBe(409);
  });
});

describe('paid plans', () => {
  const event = (
    reference: string,
    type: PaymentEvent['type'],
    paymentId = `pay-${reference}`,
  ): PaymentEvent => ({
    id: newId(),
    type,
    reference,
    sessionId: undefined,
    paymentId,
    amount: 900,
    currency: 'USD',
  });
  const tell = (...args: Parameters<typeof event>) => receiveEvent(t.app.services, event(...args));

  it('return where to pay, and are active when paid', async () => {
    const email = fresh();
    const answer = await subscribe({ email, planId: 'pro', returnUrl: 'http://shop.test/thanks' });
    const id = await idOf(email);
    const reference = `subscription:${id}`;
    expect([answer.status, answer.body]).toEqual([200, { checkoutUrl: `https://pay.example/${reference}` }]);
    expect(sessions.get(reference)).toEqual({
      reference,
      currency: 'USD',
      amount: 900,
      lines: [{ name: 'Letter: Pro', quantity: 1, amount: 900 }],
      expiresAt: expect.any(Number),
      returnUrl: 'http://shop.test/thanks',
      cancelUrl: expect.stringContaining('/checkout/cancelled'),
      merchant: 'Shop',
      customerEmail: email,
    });
    expect(await statusOf(id)).toBe('PENDING');
    expect((await subscribe({ email, planId: 'pro' })).body).toEqual(answer.body);
    await tell(reference, 'failed');
    expect(await statusOf(id)).toBe('PENDING');
    await tell(reference, 'paid');
    expect((await subscribe({ email, planId: 'pro' })).body).toMatchObject({
      id,
      status: 'ACTIVE',
      planId: 'pro',
    });
  });

  it('open one page for twenty callers at the same time', async () => {
    const email = fresh();
    const answers = await Promise.all(Array.from({ length: 20 }, () => subscribe({ email, planId: 'pro' })));
    expect(new Set(answers.map(({ body }) => body.checkoutUrl)).size).toBe(1);
    const id = await idOf(email);
    expect([...sessions.keys()].filter((reference) => reference.includes(id))).toHaveLength(1);
  });

  it('open a new page when the old one has expired, or another plan is chosen', async () => {
    const email = fresh();
    await subscribe({ email, planId: 'pro' });
    const id = await idOf(email);
    await tell(`subscription:${id}`, 'expired');
    const second = await subscribe({ email, planId: 'pro' });
    expect(second.body).toEqual({ checkoutUrl: `https://pay.example/subscription:${id}:2` });
    await t.db.prisma.subscription.update({ where: { id }, data: { sessionExpiresAt: now() - 1 } });
    expect((await subscribe({ email, planId: 'pro' })).body.checkoutUrl).toMatch(/:3$/);
    expect((await subscribe({ email, planId: 'max' })).body.checkoutUrl).toMatch(/:4$/);
    expect(expired.filter((reference) => reference.includes(id)).at(-1)).toBe(`subscription:${id}:3`);
    await tell(`subscription:${id}:4`, 'paid');
    expect(await t.db.prisma.subscription.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: 'ACTIVE',
      planId: 'max',
    });
  });

  it('end when the provider says so, and only a new payment brings them back', async () => {
    const email = fresh();
    await subscribe({ email, planId: 'pro' });
    const id = await idOf(email);
    const reference = `subscription:${id}`;
    await tell(reference, 'paid');
    await tell(reference, 'cancelled');
    expect(await statusOf(id)).toBe('CANCELLED');
    expect((await subscribe({ email, planId: 'pro' })).body.checkoutUrl).toMatch(/:2$/);
    await tell(`${reference}:2`, 'paid', 'second payment');
    expect(await statusOf(id)).toBe('ACTIVE');
    await tell(reference, 'cancelled');
    expect(await statusOf(id)).toBe('ACTIVE');
  });

  it('keep what was paid for through an unsubscribe, and ignore the same payment told again', async () => {
    const email = fresh();
    await subscribe({ email, planId: 'pro' });
    const id = await idOf(email);
    await tell(`subscription:${id}`, 'paid');
    const token = unsubscribeToken(t.app.services.keys.secret, shop.businessId, id);
    await t.rest('POST', `${base}/unsubscribe`, { body: { token } });
    await tell(`subscription:${id}`, 'paid');
    expect(await statusOf(id)).toBe('UNSUBSCRIBED');
    expect((await subscribe({ email, planId: 'pro' })).body).toMatchObject({ status: 'ACTIVE' });
  });

  it('leave a word about payments that change nothing', async () => {
    const list = await newsletter();
    const [email, gone] = [fresh(), fresh()];
    await subscribe({ email, planId: 'pro' });
    await subscribe({ email: gone, planId: 'pro' }, { list });
    const [kept, lost] = [`subscription:${await idOf(email)}`, `subscription:${await idOf(gone)}`];
    await t.rest('DELETE', `${base}/${list}?force=true`, { as: editor });
    await tell(kept, 'paid');
    await tell(kept, 'paid');
    await tell(lost, 'paid');
    const outcomes = await t.db.prisma.paymentEvent.findMany({
      where: { reference: { in: [kept, lost] } },
      orderBy: { id: 'asc' },
      select: { outcome: true },
    });
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['paid', 'repeated', 'unknown subscription']);
  });

  it('answer 503 while the provider is down, and work after that', async () => {
    const email = fresh();
    state.down = true;
    expect(await subscribe({ email, planId: 'pro' })).toMatchObject({
      status: 503,
      body: { error: 'UNAVAILABLE' },
    });
    state.down = false;
    expect((await subscribe({ email, planId: 'pro' })).status).toBe(200);
  });

  it('refuse to send people to strangers after paying', async () => {
    expect(
      await subscribe({ email: fresh(), planId: 'pro', returnUrl: 'https://evil.example/' }),
    ).toMatchObject({
      status: 422,
      body: { details: [{ field: 'returnUrl', error: 'INVALID_RETURN_URL' }] },
    });
  });

  it.each(['order:x', 'subscription:x', 'subscription:', `subscription:${newId()}`])(
    'ignore events about %s',
    async (reference) => {
      await expect(tell(reference, 'paid')).resolves.toBeUndefined();
    },
  );
});

describe('unsubscribing', () => {
  const joined = async (list = letter) => {
    const { body } = await subscribe({ email: fresh(), planId: 'free' }, { list });
    return { id: body.id, token: unsubscribeToken(t.app.services.keys.secret, shop.businessId, body.id) };
  };
  const call = (path: string, init: RequestInit) => t.app.fetch(new Request(`http://duet.test${path}`, init));

  it('works by JSON without signing in, again and again, until somebody subscribes again', async () => {
    const email = fresh();
    const { body } = await subscribe({ email, planId: 'free' });
    const token = unsubscribeToken(t.app.services.keys.secret, shop.businessId, body.id);
    for (let time = 0; time < 2; time += 1) {
      const answer = await t.rest('POST', `${base}/unsubscribe`, { body: { token } });
      expect([answer.status, answer.body]).toEqual([200, { success: true }]);
      expect(await statusOf(body.id)).toBe('UNSUBSCRIBED');
    }
    expect((await subscribe({ email, planId: 'zero' })).body).toMatchObject({
      id: body.id,
      status: 'ACTIVE',
      planId: 'zero',
    });
    const viaGraphql = await t.graphql(
      'mutation($b: ID!, $t: String!) { unsubscribe(businessId: $b, token: $t) { success } }',
      { b: shop.businessId, t: token },
    );
    expect(viaGraphql.data).toEqual({ unsubscribe: { success: true } });
    expect(await statusOf(body.id)).toBe('UNSUBSCRIBED');
  });

  it('shows a button to whoever opens the link, and changes nothing', async () => {
    const { id, token } = await joined();
    const path = `${base}/unsubscribe?token=${token}`;
    for (const accept of [
      undefined,
      '*/*',
      'text/html,application/xhtml+xml',
      'application/json, text/html',
    ]) {
      for (const method of ['GET', 'HEAD']) {
        const response = await call(path, { method, headers: accept ? { accept } : {} });
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
        if (method === 'GET') expect(await response.text()).toContain(`value="${token}"`);
      }
    }
    const head = await call(path, { method: 'HEAD', headers: { accept: 'application/json' } });
    expect(head.headers.get('content-type')).toContain('text/html');
    expect(await statusOf(id)).toBe('ACTIVE');
    const json = await call(path, { headers: { accept: 'application/json' } });
    expect([json.status, await json.json()]).toEqual([200, { success: true }]);
    expect(await statusOf(id)).toBe('UNSUBSCRIBED');
  });

  it('puts nothing of the address into the page unescaped', async () => {
    const response = await call(`${base}/unsubscribe?token=%22%3E%3Cscript%3Ealert(1)%3C/script%3E`, {});
    expect(await response.text()).not.toContain('<script>');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it.each([
    ['the button', 'application/x-www-form-urlencoded', (token: string) => `token=${token}`, false],
    ['one click', 'application/x-www-form-urlencoded', () => 'List-Unsubscribe=One-Click', true],
    [
      'one click in parts',
      'multipart/form-data; boundary=x',
      () => '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      true,
    ],
  ])('works by %s', async (_what, type, body, inAddress) => {
    const { id, token } = await joined();
    const response = await call(`${base}/unsubscribe${inAddress ? `?token=${token}` : ''}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: body(token),
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('You are unsubscribed');
    expect(await statusOf(id)).toBe('UNSUBSCRIBED');
  });

  it('refuses tokens that are forged, or of another business or list', async () => {
    const { id, token } = await joined();
    const sibling = await joined(await newsletter(shop, { name: 'Second' }));
    const theirs = unsubscribeToken(t.app.services.keys.secret, other.businessId, id);
    const forged = unsubscribeToken(new Uint8Array(32), shop.businessId, id);
    const mixed = Buffer.concat([
      Buffer.from(token, 'base64url').subarray(0, 16),
      Buffer.from(sibling.token, 'base64url').subarray(16),
    ]).toString('base64url');
    for (const bad of [theirs, forged, mixed, '', 'x', `${token}x`]) {
      const answer = await t.rest('POST', `${base}/unsubscribe`, { body: { token: bad } });
      expect(answer).toMatchObject({
        status: 422,
        body: { details: [{ field: 'token', error: 'INVALID_TOKEN' }] },
      });
    }
    expect((await t.rest('POST', `${base}/unsubscribe`, { body: {} })).body).toMatchObject({
      details: [{ field: 'token', error: 'REQUIRED' }],
    });
    const elsewhere = await t.rest('POST', `/v1/businesses/${other.businessId}/collections/unsubscribe`, {
      body: { token },
    });
    expect(elsewhere.status).toBe(422);
    const page = await call(`${base}/unsubscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'token=forged',
    });
    expect([page.status, page.headers.get('content-type')]).toEqual([422, 'text/html; charset=utf-8']);
    await t.rest('POST', `${base}/unsubscribe`, { body: { token: sibling.token } });
    expect([await statusOf(id), await statusOf(sibling.id)]).toEqual(['ACTIVE', 'UNSUBSCRIBED']);
  });
});

describe('the list', () => {
  it('is for those who may read subscribers, page by page, at one count of statements', async () => {
    const list = await newsletter();
    const manager = await t.hire(shop, await t.person(), 'MANAGER');
    const ids: string[] = [];
    for (let number = 0; number < 3; number += 1)
      ids.unshift((await subscribe({ email: fresh(), planId: 'free' }, { list })).body.id);
    const path = `${base}/${list}/subscribers`;
    const first = await t.rest<{ items: Subscription[]; cursor: string }>('GET', `${path}?limit=2`, {
      as: manager,
    });
    expect(first.body.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.body.items[0]).toEqual({
      id: ids[0],
      entity: `collection:${list}`,
      email: expect.any(String),
      planId: 'free',
      status: 'ACTIVE',
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    const second = await t.rest<{ items: Subscription[]; cursor: null }>(
      'GET',
      `${path}?limit=2&cursor=${first.body.cursor}`,
      { as: manager },
    );
    expect([second.body.items.map(({ id }) => id), second.body.cursor]).toEqual([ids.slice(2), null]);
    expect((await t.rest('GET', `${path}?status=PENDING`, { as: manager })).body).toEqual({
      items: [],
      cursor: null,
    });
    for (const [as, status] of [
      [undefined, 401],
      [guest, 403],
      [editor, 403],
      [other.admin, 404],
    ] as const)
      expect((await t.rest('GET', path, { as })).status).toBe(status);
    expect((await t.rest('GET', `${base}/${newId()}/subscribers`, { as: manager })).status).toBe(404);
    const costs: number[] = [];
    for (const limit of [1, 10, 100]) {
      t.statements.length = 0;
      await t.rest('GET', `${path}?limit=${limit}`, { as: manager });
      costs.push(t.statements.length);
    }
    expect(new Set(costs).size).toBe(1);
  });

  it('goes with its collection, by force alone', async () => {
    const list = await newsletter();
    const { body } = await subscribe({ email: fresh(), planId: 'free' }, { list });
    expect(await t.rest('DELETE', `${base}/${list}`, { as: editor })).toMatchObject({
      status: 422,
      body: { details: [{ error: 'COLLECTION_NOT_EMPTY' }] },
    });
    expect((await t.rest('DELETE', `${base}/${list}?force=true`, { as: editor })).status).toBe(200);
    expect(await t.db.prisma.subscription.findUnique({ where: { id: body.id } })).toBeNull();
  });
});

it('documents the template variables', async () => {
  const path = '/v1/collections/entry-types';
  const { status, body } = await t.rest<{ variables: Record<string, string>[] }>(
    'GET',
    `${path}/NEWSLETTER/variables`,
    { as: guest },
  );
  expect(status).toBe(200);
  expect(body.variables.map(({ key }) => key)).toEqual([
    'subscriberName',
    'subscriberEmail',
    'unsubscribeUrl',
    'collectionName',
    'businessName',
    'entry.title',
  ]);
  for (const variable of body.variables)
    expect(variable).toEqual({
      key: expect.any(String),
      label: expect.any(String),
      description: expect.any(String),
      example: expect.any(String),
    });
  expect((await t.rest('GET', `${path}/PLANET/variables`, { as: guest })).status).toBe(404);
  expect((await t.rest('GET', `${path}/NEWSLETTER/variables`)).status).toBe(401);
});
