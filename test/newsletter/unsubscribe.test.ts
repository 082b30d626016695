/** Unsubscribing by link, by mail client and by API; subscriber list and template variables. */
import { describe, expect, it } from 'vitest';
import {
  createSubscriptionConfirmToken,
  createUnsubscribeToken,
} from '../../src/domains/newsletter/mail/mail-tokens.ts';
import { newId } from '../../src/lib/ids.ts';
import {
  base,
  createNewsletter,
  editor,
  guest,
  newsletterId,
  other,
  type Subscription,
  shop,
  statusOf,
  subscribe,
  t,
  uniqueEmail,
} from './setup.ts';

describe('unsubscribing', () => {
  const createSubscription = async (list = newsletterId) => {
    const { body } = await subscribe({ email: uniqueEmail(), planId: 'free' }, { list });
    return {
      id: body.id,
      token: createUnsubscribeToken(t.app.services.keys.secret, shop.businessId, body.id),
    };
  };
  const call = (path: string, init: RequestInit) => t.app.fetch(new Request(`http://duet.test${path}`, init));

  it('works by JSON without signing in, idempotently, until the owner subscribes again', async () => {
    const email = uniqueEmail();
    const { body } = await subscribe({ email, planId: 'free' });
    const token = createUnsubscribeToken(t.app.services.keys.secret, shop.businessId, body.id);
    for (let time = 0; time < 2; time += 1) {
      const response = await t.rest('POST', `${base}/unsubscribe`, { body: { token } });
      expect([response.status, response.body]).toEqual([200, { success: true }]);
      expect(await statusOf(body.id)).toBe('UNSUBSCRIBED');
    }
    const owner = await t.person({ email });
    expect((await subscribe({ email, planId: 'zero' }, { as: owner })).body).toMatchObject({
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

  it('shows a page with a button for the link and changes nothing', async () => {
    const { id, token } = await createSubscription();
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

  it.each(['collections/unsubscribe', 'subscriptions/confirm', 'subscriptions/resubscribe'])(
    'responds on %s as the contract specifies, including error pages',
    async (path) => {
      const at = `/v1/businesses/${shop.businessId}/${path}`;
      const { id, token } = await createSubscription();
      const secret = t.app.services.keys.secret;
      const validToken = path.endsWith('confirm')
        ? createSubscriptionConfirmToken(secret, shop.businessId, id)
        : token;
      const form = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
      const unknownBusiness = `/v1/businesses/${newId()}/${path}`;
      // `t.rest` validates every response against the OpenAPI contract.
      const responses = [
        await t.rest('GET', `${at}?token=${validToken}`, { headers: { accept: 'text/html' } }),
        await t.rest('GET', at, { headers: { accept: 'text/html' } }),
        await t.rest('GET', unknownBusiness, { headers: { accept: 'text/html' } }),
        await t.rest('POST', at, { headers: form, body: 'token=wrong' }),
        await t.rest('POST', unknownBusiness, { headers: form, body: `token=${validToken}` }),
      ];
      expect(responses.map(({ status }) => status)).toEqual([200, 422, 404, 422, 404]);
      for (const { headers } of responses)
        expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      const { status } = await t.rest('GET', at, { headers: { accept: 'application/json' } });
      expect(status).toBe(path.endsWith('unsubscribe') ? 422 : 405);
    },
  );

  it('escapes the query string in the page', async () => {
    const response = await call(`${base}/unsubscribe?token=%22%3E%3Cscript%3Ealert(1)%3C/script%3E`, {});
    expect(await response.text()).not.toContain('<script>');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it.each([
    ['the button', 'application/x-www-form-urlencoded', (token: string) => `token=${token}`, false],
    ['one click', 'application/x-www-form-urlencoded', () => 'List-Unsubscribe=One-Click', true],
    [
      'one click as multipart',
      'multipart/form-data; boundary=x',
      () => '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      true,
    ],
  ])('works by %s', async (_name, type, body, isTokenInUrl) => {
    const { id, token } = await createSubscription();
    const response = await call(`${base}/unsubscribe${isTokenInUrl ? `?token=${token}` : ''}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: body(token),
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('You are unsubscribed');
    expect(await statusOf(id)).toBe('UNSUBSCRIBED');
  });

  it('shows newsletter and address, and is undone by the same token', async () => {
    const email = uniqueEmail();
    const { body } = await subscribe({ email, planId: 'free' });
    const token = createUnsubscribeToken(t.app.services.keys.secret, shop.businessId, body.id);
    const undo = `/v1/businesses/${shop.businessId}/subscriptions/resubscribe`;
    const submitForm = async (path: string, formToken = token) => {
      const response = await call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `token=${formToken}`,
      });
      return { status: response.status, text: await response.text() };
    };
    const shownTexts = ['<strong>Letter</strong>', email];
    const page = await (await call(`${base}/unsubscribe?token=${token}`, {})).text();
    for (const part of shownTexts) expect(page).toContain(part);
    const unsubscribed = await submitForm(`${base}/unsubscribe`);
    for (const part of [...shownTexts, `action="${undo}"`]) expect(unsubscribed.text).toContain(part);
    expect((await call(`${undo}?token=${token}`, {})).status).toBe(200);
    expect(await statusOf(body.id)).toBe('UNSUBSCRIBED');
    expect(await submitForm(undo)).toEqual({ status: 200, text: expect.stringContaining('as before') });
    expect(await statusOf(body.id)).toBe('ACTIVE');
    await submitForm(`${base}/unsubscribe`);
    for (let time = 0; time < 2; time += 1)
      expect(await t.rest('POST', undo, { body: { token } })).toMatchObject({
        status: 200,
        body: { id: body.id, status: 'ACTIVE', planId: 'free' },
      });
    for (const invalidToken of [
      'x',
      createUnsubscribeToken(t.app.services.keys.secret, other.businessId, body.id),
    ])
      expect([
        (await submitForm(undo, invalidToken)).status,
        (await call(`${undo}?token=${invalidToken}`, {})).status,
      ]).toEqual([422, 422]);
  });

  it('does not reactivate an unpaid plan', async () => {
    const email = uniqueEmail();
    await subscribe({ email, planId: 'pro' });
    const { id } = await t.db.prisma.subscription.findFirstOrThrow({ where: { key: email } });
    const token = createUnsubscribeToken(t.app.services.keys.secret, shop.businessId, id);
    const undo = async () =>
      JSON.stringify(
        await t.graphql(
          'mutation($b: ID!, $t: String!) { resubscribe(businessId: $b, token: $t) { subscription { status renewalState cancelAtPeriodEnd } } }',
          { b: shop.businessId, t: token },
        ),
      );
    expect(await undo()).toContain('"status":"PENDING"');
    await t.rest('POST', `${base}/unsubscribe`, { body: { token } });
    expect(await undo()).toContain('NOT_ACTIVE');
    const paidUntil = (currentPeriodEnd: number) =>
      t.db.prisma.subscription.update({
        where: { id },
        data: { paymentId: 'pay_2', renewalState: 'ENDED', currentPeriodStart: 1, currentPeriodEnd },
      });
    await paidUntil(2);
    expect(await undo()).toContain('NOT_ACTIVE');
    await paidUntil(4_000_000_000);
    expect(await undo()).toContain('"status":"ACTIVE","renewalState":"ACTIVE","cancelAtPeriodEnd":true');
  });

  it('rejects tokens that are forgedToken, or of another business or subscription', async () => {
    const { id, token } = await createSubscription();
    const sibling = await createSubscription(await createNewsletter(shop, { name: 'Second' }));
    const otherBusinessToken = createUnsubscribeToken(t.app.services.keys.secret, other.businessId, id);
    const forgedToken = createUnsubscribeToken(new Uint8Array(32), shop.businessId, id);
    const mixedToken = Buffer.concat([
      Buffer.from(token, 'base64url').subarray(0, 16),
      Buffer.from(sibling.token, 'base64url').subarray(16),
    ]).toString('base64url');
    for (const invalidToken of [otherBusinessToken, forgedToken, mixedToken, '', 'x', `${token}x`]) {
      const response = await t.rest('POST', `${base}/unsubscribe`, { body: { token: invalidToken } });
      expect(response).toMatchObject({
        status: 422,
        body: { details: [{ field: 'token', error: 'INVALID_TOKEN' }] },
      });
    }
    expect((await t.rest('POST', `${base}/unsubscribe`, { body: {} })).body).toMatchObject({
      details: [{ field: 'token', error: 'REQUIRED' }],
    });
    const otherBusiness = await t.rest('POST', `/v1/businesses/${other.businessId}/collections/unsubscribe`, {
      body: { token },
    });
    expect(otherBusiness.status).toBe(422);
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

describe('the subscriber list', () => {
  it('requires SUBSCRIBERS_READ, is paged, and needs a constant number of statements', async () => {
    const list = await createNewsletter();
    const manager = await t.addMember(shop, await t.person(), 'MANAGER');
    const ids: string[] = [];
    for (let number = 0; number < 3; number += 1)
      ids.unshift((await subscribe({ email: uniqueEmail(), planId: 'free' }, { list })).body.id);
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

  it('is deleted with its collection, only with force', async () => {
    const list = await createNewsletter();
    const { body } = await subscribe({ email: uniqueEmail(), planId: 'free' }, { list });
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
