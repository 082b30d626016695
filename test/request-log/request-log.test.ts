/** Request log: what a business sees of its requests in both protocols, and what it does not see. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';
import { readLog, readStoredText } from './setup.ts';

let t: TestApp;
let shop: Shop;
let other: Shop;
let key: Person;
beforeAll(async () => {
  t = await testApp();
  [shop, other] = [await t.shop(), await t.shop()];
  key = await t.withApiKey(shop.admin);
});
beforeEach(async () => {
  await t.app.services.requestLog.flush();
  await t.db.write('delete from request_log');
});
afterAll(() => t.app.stop());

const products = (businessId = shop.businessId) => `/v1/businesses/${businessId}/products`;

it('records a failed REST request with its details, and what to do about it', async () => {
  const { status, headers } = await t.rest('POST', products(), {
    as: key,
    headers: { 'x-client-name': 'importer', 'x-duet-version': '2026-11-18' },
    body: { slug: 'a b' },
  });
  expect(status).toBe(422);
  const [line, ...others] = await readLog(t, shop);
  expect(others).toEqual([]);
  expect(line).toMatchObject({
    requestId: headers.get('x-request-id'),
    protocol: 'REST',
    operation: 'POST /v1/businesses/{businessId}/products',
    path: products(),
    isWrite: true,
    status: 422,
    code: 'VALIDATION_FAILED',
    details: expect.arrayContaining([expect.objectContaining({ field: 'name', error: 'REQUIRED' })]),
    advice: expect.stringContaining('`details`'),
    caller: 'API_KEY',
    userId: shop.admin.userId,
    keyName: 'test',
    clientName: 'importer',
    apiVersion: '2026-11-18',
  });
  expect(line).not.toHaveProperty('body');
});

it('records successful reads whatever client name they send, except those of the log itself', async () => {
  const headers = { 'x-client-name': 'duet-workbench' };
  const stranger = await t.guest();
  await t.rest('GET', products(), { as: stranger, headers });
  await t.graphql(
    'query ListRequests($b: ID!) { products(businessId: $b, first: 1) { nodes { name } } }',
    { b: shop.businessId },
    { as: stranger, headers },
  );
  for (const path of ['requests', 'request-errors', 'request-clients', 'request-log-settings'])
    expect((await t.rest('GET', `/v1/businesses/${shop.businessId}/${path}`, { as: key })).status).toBe(200);
  expect(
    (await readLog(t, shop)).map(({ protocol, operation }) => `${protocol} ${operation}`).sort(),
  ).toEqual(['GRAPHQL ListRequests', 'REST GET /v1/businesses/{businessId}/products']);
});

it('records GraphQL requests: successes, errors of variables, and documents that are not valid', async () => {
  const of = { b: shop.businessId };
  await t.graphql('query Mine($b: ID!) { products(businessId: $b, first: 1) { nodes { name } } }', of, {
    as: key,
  });
  await t.graphql('query Bad($b: ID!) { products(businessId: $b, first: -1) { nodes { name } } }', of, {
    as: key,
  });
  await t.graphql(
    'query Broken($businessId: ID!) { products(businessId: $businessId) { nod { name } } }',
    {
      businessId: shop.businessId,
    },
    { as: key },
  );
  const lines = await readLog(t, shop);
  const found = lines.map(({ protocol, operation, status, code, caller, isWrite }) =>
    [protocol, operation, status, code ?? 'ok', caller, isWrite].join(' '),
  );
  expect(found.sort()).toEqual([
    'GRAPHQL Bad 200 VALIDATION_FAILED API_KEY false',
    'GRAPHQL Broken 200 BAD_REQUEST API_KEY false',
    'GRAPHQL Mine 200 ok API_KEY false',
  ]);
  expect(lines.find(({ operation }) => operation === 'Broken')?.message).toContain('nod');
});

it('finds the business of a caller who names none, if it is the only one', async () => {
  await t.graphql('{ nothing }', {}, { as: key });
  expect(await readLog(t, shop)).toMatchObject([{ code: 'BAD_REQUEST', userId: shop.admin.userId }]);
  await t.graphql('{ nothing }');
  expect(await readLog(t, shop)).toHaveLength(1);
});

it('shows strangers without their account, and their requests to nobody else', async () => {
  const stranger = await t.person();
  await t.rest('GET', `/v1/businesses/${shop.businessId}/usage`, { as: stranger });
  await t.rest('GET', products(), { as: { userId: '', token: 'no.such.token' } });
  const lines = await readLog(t, shop);
  expect(lines.map(({ code, caller }) => `${code} ${caller}`)).toEqual([
    'UNAUTHENTICATED ANONYMOUS',
    'FORBIDDEN USER',
  ]);
  expect(JSON.stringify(lines)).not.toContain(stranger.userId);
  expect(await readLog(t, other)).toEqual([]);
});

describe('tenant walls', () => {
  it('needs REQUESTS_READ in the same business, in both protocols', async () => {
    await t.rest('GET', products(), { as: key });
    const foreignKey = await t.withApiKey(other.admin);
    const editor = await t.person();
    await t.addMember(shop, editor, 'EDITOR');
    const manager = await t.person();
    await t.addMember(shop, manager, 'MANAGER');
    for (const path of ['requests', 'request-errors', 'request-clients', 'request-log-settings']) {
      const read = async (as?: Person) =>
        (await t.rest('GET', `/v1/businesses/${shop.businessId}/${path}`, { as })).status;
      expect([await read(foreignKey), await read(other.admin), await read(editor), await read()]).toEqual([
        403, 403, 403, 401,
      ]);
      expect(await read(manager)).toBe(200);
    }
    for (const field of ['requests', 'requestErrors', 'requestClients', 'requestLogSettings']) {
      const { errors } = await t.graphql(
        `query ($b: ID!) { ${field}(businessId: $b) { __typename } }`,
        { b: shop.businessId },
        { as: foreignKey },
      );
      expect(errors[0]?.extensions.code).toBe('FORBIDDEN');
    }
    const settings = `/v1/businesses/${shop.businessId}/request-log-settings`;
    for (const as of [foreignKey, manager])
      expect((await t.rest('PATCH', settings, { as, body: { recordBodies: true } })).status).toBe(403);
  });

  it('does not accept a cursor of another business', async () => {
    await t.rest('GET', products(other.businessId), { as: other.admin });
    await t.rest('GET', products(other.businessId), { as: other.admin });
    await t.app.services.requestLog.flush();
    const page = await t.rest<{ cursor: string }>(
      'GET',
      `/v1/businesses/${other.businessId}/requests?limit=1`,
      {
        as: other.admin,
      },
    );
    const { status } = await t.rest(
      'GET',
      `/v1/businesses/${shop.businessId}/requests?cursor=${page.body.cursor}`,
      { as: shop.admin },
    );
    expect(status).toBe(422);
  });
});

it('filters by outcome, code, protocol, client, request id and time', async () => {
  await t.rest('GET', products(), { as: key, headers: { 'x-client-name': 'till' } });
  await t.rest('GET', `${products()}/none`, { as: key, headers: { 'x-request-id': 'the-one' } });
  await t.graphql(
    'query Q($b: ID!) { products(businessId: $b) { totalCount } }',
    { b: shop.businessId },
    {
      as: shop.admin,
    },
  );
  const count = async (query: string) => (await readLog(t, shop, query)).length;
  expect(await count('')).toBe(3);
  expect(await count('?failed=true')).toBe(1);
  expect(await count('?failed=false')).toBe(2);
  expect(await count('?code=NOT_FOUND')).toBe(1);
  expect(await count('?protocol=GRAPHQL')).toBe(1);
  expect(await count('?client=till')).toBe(1);
  expect(await count('?requestId=the-one')).toBe(1);
  expect(await count('?operation=Q')).toBe(1);
  expect(await count('?until=1')).toBe(0);
  expect(await count('?since=1&limit=2')).toBe(2);
});

it('groups errors and clients', async () => {
  for (let n = 0; n < 3; n += 1) await t.rest('GET', `${products()}/none`, { as: key });
  await t.rest('GET', `${products()}/none`, { as: shop.admin, headers: { 'x-duet-version': '2026-11-01' } });
  await t.app.services.requestLog.flush();
  const read = async <Body>(path: string) =>
    (await t.rest<Body>('GET', `/v1/businesses/${shop.businessId}/${path}`, { as: shop.admin })).body;
  expect(await read('request-errors')).toEqual({
    errors: [
      expect.objectContaining({
        operation: 'GET /v1/businesses/{businessId}/products/{id}',
        code: 'NOT_FOUND',
        requests: 4,
        clients: 2,
        message: 'Product not found.',
        advice: expect.stringContaining('ids and slugs'),
      }),
    ],
  });
  expect(await read('request-clients?days=2')).toEqual({
    clients: [
      expect.objectContaining({ caller: 'API_KEY', keyName: 'test', requests: 3, errors: 3 }),
      expect.objectContaining({ caller: 'USER', apiVersion: '2026-11-01', requests: 1 }),
    ],
  });
  const tooLong = await t.rest('GET', `/v1/businesses/${shop.businessId}/request-errors?days=91`, {
    as: shop.admin,
  });
  expect(tooLong.status).toBe(422);
});

it('deletes the requests of a deleted account and of a deleted business', async () => {
  const gone = await t.shop();
  const visitor = await t.person();
  await t.rest('GET', products(gone.businessId), { as: gone.admin });
  await t.rest('GET', products(), { as: visitor });
  await t.app.services.requestLog.flush();
  expect(await readStoredText(t)).toContain(visitor.userId);
  expect((await t.rest('POST', '/v1/users/me/delete', { as: visitor, body: {} })).status).toBe(200);
  await t.app.drainJobs();
  expect((await t.rest('DELETE', `/v1/businesses/${gone.businessId}`, { as: gone.admin })).status).toBe(200);
  const stored = await readStoredText(t);
  expect(stored).not.toContain(visitor.userId);
  expect(stored).not.toContain(gone.businessId);
});
