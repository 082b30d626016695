/** Redaction: no secret and no personal data of a request is stored, with and without bodies. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  isSensitiveName,
  redactDocument,
  redactedPlaceholder,
  redactJson,
  redactText,
  redactUrl,
} from '../../src/domains/request-log/build-entry.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';
import { readLog, readStoredText } from './setup.ts';

const token = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMTkwIn0.c2lnbmF0dXJlLXRoYXQtaXMtbG9uZw';

it.each([
  ['Mail to anna.maier@shop.example failed.', `Mail to ${redactedPlaceholder} failed.`],
  [`Bearer ${token}`, redactedPlaceholder],
  [`no ${token} here`, `no ${redactedPlaceholder} here`],
  ['call +49 421 123-4567 now', `call ${redactedPlaceholder} now`],
  ['There is no /v1/orders/01900000-0000-7001-8000-000000000001.', undefined],
  ['name\0with NUL\ud800', 'namewith NUL'],
])('redacts %j', (text, expected) => {
  expect(redactText(text)).toBe(expected ?? text);
});

it('cuts long texts before a token that it would cut in two', () => {
  expect(redactText(`${'x y '.repeat(120)}${token}`)).not.toContain('eyJ');
});

it('redacts paths and queries, decoded', () => {
  expect(redactUrl(`/v1/confirm/${token}`, '')).toBe(`/v1/confirm/${redactedPlaceholder}`);
  expect(redactUrl('/v1/users/a%40b.example', '')).toBe(`/v1/users/${redactedPlaceholder}`);
  expect(redactUrl('/v1/x/%E0%A4%A', '')).toBe(`/v1/x/${redactedPlaceholder}`);
  expect(redactUrl('/v1/x', 'limit=5&email=a%40b.example&search=red+shoes&token=abc')).toBe(
    `/v1/x?limit=5&email=${redactedPlaceholder}&search=red%20shoes&token=${redactedPlaceholder}`,
  );
  expect(redactUrl('/v1/x', 'search=anna%40maier.example')).toBe(`/v1/x?search=${redactedPlaceholder}`);
});

it.each(
  'password newPassword api_key apiKey accessToken X-Api-Key email contactEmail phone firstName last_name street address shippingAddress zip city iban clientSecret'.split(
    ' ',
  ),
)('treats %s as sensitive', (name) => expect(isSensitiveName(name)).toBe(true));

it.each('name title slug quantity capacity status market productId description'.split(' '))(
  'treats %s as harmless',
  (name) => expect(isSensitiveName(name)).toBe(false),
);

it('redacts JSON at any depth, and documents', () => {
  expect(redactJson({ a: [{ password: 'x' }], note: 'to a@b.example', n: 1, none: null })).toEqual({
    a: [{ password: redactedPlaceholder }],
    note: `to ${redactedPlaceholder}`,
    n: 1,
    none: null,
  });
  expect(redactDocument('{ orders(filter: {email: "a@b.example", city: "Bremen"}) { id } }')).toBe(
    `{ orders(filter: {email: "${redactedPlaceholder}", city: "${redactedPlaceholder}"}) { id } }`,
  );
  expect(
    redactDocument('{ quote(input: {shippingAddress: {name: "Ada Lovelace"}}) { id } }'),
  ).toBeUndefined();
  expect(redactDocument('{ orders(search: "\0") { id } }')).toBe('{ orders(search: "") { id } }');
  expect(redactDocument('mutation ($p: String!) { login(input: {secret: $p}) { id } }')).toBeUndefined();
});

it('stays fast for texts that are made to be slow', () => {
  const started = performance.now();
  for (const text of ['@', 'a@', '%40', '+1 ', 'a:"""', 'a.', 'a:"', '+', 'bearer '].map((part) =>
    part.repeat(2000 / part.length),
  )) {
    redactText(text, 2000);
    redactDocument(text.repeat(4).slice(0, 8000));
    redactUrl(`/${text}`, `a=${text}`);
  }
  expect(performance.now() - started).toBeLessThan(1000);
});

let t: TestApp;
let shop: Shop;
let key: Person;
beforeAll(async () => {
  t = await testApp();
  shop = await t.shop();
  key = await t.withApiKey(shop.admin);
});
afterAll(() => t.app.stop());

/** Requests with a secret in every part that a client chooses. */
async function sendSecrets(): Promise<void> {
  const products = `/v1/businesses/${shop.businessId}/products`;
  await t.rest('GET', `${products}?search=secret-person%40mail.example&token=sekret1`, { as: key });
  await t.rest('GET', `${products}/${token}`, { as: key });
  await t.rest('GET', `${products}/x`, {
    as: key,
    headers: { 'x-client-name': 'secret-person@mail.example', 'x-request-id': token },
  });
  await t.rest('POST', products, {
    as: key,
    body: { name: 'Lamp', password: 'sekret2', description: `call me: secret-person@mail.example ${token}` },
  });
  await t.graphql(
    `mutation M($b: ID!, $p: String!) { login(input: {provider: EMAIL, email: "secret-person@mail.example", password: $p}) { accessToken } updateBusiness(id: $b, input: {}) { business { id } } }`,
    { b: shop.businessId, p: 'sekret3' },
    { as: key },
  );
  await t.graphql(
    `query Q($b: ID!) { products(businessId: $b, search: "secret-person@mail.example") { totalCount } }`,
    { b: shop.businessId },
    { as: key },
  );
}

it('stores no secret, whether bodies are recorded or not', async () => {
  const settings = `/v1/businesses/${shop.businessId}/request-log-settings`;
  for (const recordBodies of [false, true]) {
    const { body } = await t.rest('PATCH', settings, { as: shop.admin, body: { recordBodies } });
    expect('bodiesUntil' in body).toBe(recordBodies);
    await t.app.services.requestLog.flush();
    await sendSecrets();
    const lines = await readLog(t, shop, '?limit=100');
    expect(lines.length).toBeGreaterThanOrEqual(5);
    const stored = await readStoredText(t);
    for (const secret of ['secret-person', 'sekret', token.slice(0, 30), key.token, 'eyJhbGci'])
      expect(stored).not.toContain(secret);
  }
  const lines = await readLog(t, shop, '?limit=100');
  expect(
    lines.filter(({ body }) => body !== undefined).map(({ operation, body }) => [operation, body]),
  ).toEqual([
    [
      'Q',
      {
        query: `query Q($b: ID!) { products(businessId: $b, search: "${redactedPlaceholder}") { totalCount } }`,
        variables: { b: shop.businessId },
      },
    ],
    [
      'POST /v1/businesses/{businessId}/products',
      {
        name: 'Lamp',
        password: redactedPlaceholder,
        description: `call me: ${redactedPlaceholder} ${redactedPlaceholder}`,
      },
    ],
  ]);
});

it('stops to record bodies', async () => {
  const settings = `/v1/businesses/${shop.businessId}/request-log-settings`;
  await t.rest('PATCH', settings, { as: shop.admin, body: { recordBodies: false } });
  await t.app.services.requestLog.flush();
  await t.db.write('delete from request_log');
  await sendSecrets();
  const lines = await readLog(t, shop);
  expect(lines.every(({ body }) => body === undefined)).toBe(true);
});
