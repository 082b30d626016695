/** Worst-case requests of almost 1 MB: none of them blocks the event loop for more than 100 ms. */
import { beforeAll, expect, it } from 'vitest';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { threadCpuMs } from '../support/cpu-time.ts';
import { onPostgres } from '../support/database.ts';
import { longestTickMs, shortestBlockingMs } from '../support/event-loop-blocking.ts';

let t: TestApp;
let shop: Shop;
let guest: { token: string };
let rich: string;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  shop = await t.shop();
  guest = await t.person({ provider: 'GUEST' });
  const collection = await t.rest<{ id: string }>('POST', `/v1/businesses/${shop.businessId}/collections`, {
    as: shop.admin,
    body: { name: 'Rich', blocks: [{ id: 'html', type: 'TEXT', settings: { variant: 'HTML' } }] },
  });
  rich = collection.body.id;
});

const size = 1_000_000;
const filled = (unit: string, length = size) => unit.repeat(Math.floor(length / unit.length));
const repeat = <T>(count: number, item: (index: number) => T): T[] =>
  Array.from({ length: count }, (_item, index) => item(index));
/** Built as text, because JSON.stringify would exceed the stack. */
const deep = (before: string, depth: number, after: string) =>
  `${before}${'['.repeat(depth)}${']'.repeat(depth)}${after}`;

interface SentRequest {
  method?: string;
  path: string;
  body: unknown;
  guest?: boolean;
  headers?: Record<string, string>;
  type?: string;
  /** The request is accepted and stored. Not measured on the embedded database, which runs in this thread. */
  stored?: boolean;
}

const product = (input: object) => (): SentRequest => ({
  path: `/v1/businesses/${shop.businessId}/products`,
  body: { name: 'X', ...input },
});
const blocks = (...list: object[]) =>
  product({ blocks: list.map((block, index) => ({ id: `b${index}`, ...block })) });
const html = (text: string) => (): SentRequest => ({
  path: `/v1/businesses/${shop.businessId}/entries`,
  body: { collectionId: rich, blocks: [{ id: 'html', type: 'TEXT', value: text }] },
});
const users = (path: string, body: object) => (): SentRequest => ({ path: `/v1/users/${path}`, body });
const graphql = (body: unknown, type?: string) => (): SentRequest => ({
  path: '/graphql',
  body,
  ...(type ? { type } : {}),
});
const choices = (count: number, options?: string[]) => ({
  type: 'MULTI_SELECT',
  value: repeat(count, (index) => `option ${index}`),
  ...(options ? { settings: { options } } : {}),
});
const options = repeat(500, (index) => `${'x'.repeat(190)}${index}`);

let documents = 0;
/** Every call returns another document: all of its operations use all variables of one fragment. */
const documentWithManyVariables = () => {
  documents += 1;
  const operations = repeat(100, (index) => `query q${index}d${documents}($v: ID!) { ...F }`);
  return `${operations.join(' ')} fragment F on Query { products(businessId: "x", ids: [${'$v '.repeat(900)}]) { nodes { id } } }`;
};

const requests: Record<string, () => SentRequest> = {
  'a new password': users('register', { email: 'a@people.example', password: filled('ä', size / 2) }),
  'a new password of digits': users('register', { email: 'a@people.example', password: filled('1') }),
  'a password to sign in with': users('login', { email: 'a@people.example', password: filled('1') }),
  'an email address': users('login', { email: `${filled('a.')}@x.example`, password: 'x' }),
  'an email address of dots': users('forgot-password', { email: filled('.') }),
  'a name': users('register', {
    email: 'a@people.example',
    password: 'correct horse 7 battery',
    name: filled('\u0085', size / 2),
  }),
  'a phone number': users('login', { provider: 'GUEST', phoneNumber: filled('(') }),
  'a refresh token': users('refresh', { refreshToken: filled('a.') }),
  'a confirmation token': users('confirm/email', { token: filled('a.') }),
  'a slug': product({ slug: filled('a-') }),
  'a slug that ends wrong': product({ slug: `${filled('a-')}!` }),
  'a name made a slug': product({ name: filled(' é') }),
  'one long choice': blocks(choices(9000)),
  'twenty long choices': blocks(...repeat(10, () => choices(990))),
  'choices among many options': blocks(...repeat(9, () => choices(1000, options))),
  'a choice made often': blocks({ type: 'MULTI_SELECT', value: repeat(1000, () => 'x'.repeat(190)) }),
  'media without anything': blocks(...repeat(199, () => ({ type: 'MEDIA', value: repeat(49, () => ({})) }))),
  'media in bulk': () => ({
    ...blocks(
      ...repeat(99, () => ({
        type: 'MEDIA',
        value: repeat(99, (index) => ({
          url: `https://cdn.example/pictures/${index}.jpeg`,
          mimeType: 'image/jpeg',
        })),
      })),
    )(),
    stored: true,
  }),
  'a text in many languages': blocks({
    type: 'TEXT',
    value: Object.fromEntries(repeat(9900, (index) => [`k${index}`, 'x'])),
  }),
  'rich text in many languages': blocks({
    type: 'TEXT',
    settings: { variant: 'HTML' },
    value: Object.fromEntries(repeat(9000, (index) => [`k${index}`, filled('<b>', 90)])),
  }),
  'blocks of the same name': product({
    blocks: repeat(4900, () => ({ id: 'same', type: 'NUMBER', value: 1 })),
  }),
  'variants of the same name': product({ variants: repeat(4900, () => ({ id: 'v', sku: 's', name: 7 })) }),
  'variants with many prices': product({
    variants: repeat(48, () => ({
      pricing: { markets: repeat(200, () => ({ marketId: 'm', currency: 'EUR', price: -1 })) },
    })),
  }),
  'variants with all the prices they may have': product({
    variants: repeat(25, () => ({
      pricing: { markets: repeat(200, () => ({ marketId: 'm', currency: 'EUR', price: -1 })) },
    })),
  }),
  'a gallery of wrong addresses': product({ gallery: repeat(230, () => ({ url: filled('\t', 2000) })) }),
  'deep nesting in a value': () => ({
    ...product({})(),
    body: deep('{"name":"X","blocks":[{"id":"b","type":"TEXT","value":', 480_000, '}]}'),
  }),
  'deep nesting where nothing is expected': () => ({
    ...product({})(),
    headers: { 'idempotency-key': 'deep' },
    body: deep('{"name":"X","nothing":', 480_000, '}'),
    stored: true,
  }),
  'deep nesting for GraphQL': graphql(
    deep(
      '{"query":"mutation($i: CreateProductInput!){createProduct(businessId:\\"x\\",input:$i){product{id}}}","variables":{"i":{"name":"x","blocks":',
      480_000,
      '}}}',
    ),
  ),
  'deep nesting for Yoga': graphql(deep('[{"query":"{__typename}","variables":{"x":', 480_000, '}}]')),
  'wrong variables': graphql({
    query: 'query($ids: [ID!]!) { products(businessId: "x", ids: $ids) { nodes { id } } }',
    variables: { ids: repeat(150_000, () => false) },
  }),
  'unknown variables': graphql({
    query: '{ __typename }',
    variables: Object.fromEntries(repeat(50_000, (index) => [`v${index}`, 1])),
  }),
  'unknown parameters': graphql(Object.fromEntries(repeat(60_000, (index) => [`p${index}`, 1]))),
  'a batch of documents with many variables': () =>
    graphql(repeat(10, () => ({ query: documentWithManyVariables() })))(),
  'a batch': graphql(repeat(40_000, () => ({ query: '{a}' }))),
  'a document of brackets': graphql({ query: filled('{') }),
  'a document of comments': graphql({ query: filled('#\n', 190_000) }),
  'a document of one string': graphql({ query: `{ a(x: "${filled('y', 190_000)}") }` }),
  'a document of a block string': graphql({ query: `{ a(x: """${filled(' \n', 190_000)}""") }` }),
  'the id of a document': graphql({ documentId: filled('f') }),
  'a form': graphql(filled('a=&'), 'application/x-www-form-urlencoded'),
  'a form in parts': graphql(
    `${filled('--x\r\ncontent-disposition: form-data; name=a\r\n\r\n\r\n')}--x--`,
    'multipart/form-data; boundary=x',
  ),
  'a body that is no JSON': graphql(filled('[')),
  'a cursor': graphql({
    query: 'query($c: String) { products(businessId: "x", after: $c) { nodes { id } } }',
    variables: { c: filled('a') },
  }),
  'a quote': () => ({
    path: `/v1/businesses/${shop.businessId}/orders/checkout`,
    guest: true,
    body: {
      quote: filled('a.', 199_000),
      market: 'us',
      items: repeat(490, (index) => ({ productId: `p${index}`, variantId: 'v', quantity: 1 })),
    },
  }),
  'a cart of 4,900 lines': () => ({
    path: `/v1/businesses/${shop.businessId}/orders/checkout`,
    guest: true,
    body: { market: 'us', items: repeat(4900, () => ({ productId: 'p', variantId: 'v', quantity: 1 })) },
  }),
  'choices at checkout': () => ({
    path: `/v1/businesses/${shop.businessId}/orders/checkout`,
    guest: true,
    body: {
      market: 'us',
      items: [{ productId: 'p', variantId: 'v', quantity: 1 }],
      blocks: [{ key: 'k', value: repeat(9900, (index) => `option ${index}`) }],
    },
  }),
  'a payment event': () => ({
    path: '/v1/payments/webhooks/sandbox',
    body: deep('{"a":', 400_000, '}'),
    headers: { 'stripe-signature': filled('v1=x,', 8000) },
  }),
  'settings of one’s own': () => ({
    method: 'PUT',
    path: '/v1/users/update',
    body: {
      businessUserConfigs: repeat(100, () => ({
        businessId: shop.businessId,
        settings: { a: repeat(190, () => 1) },
      })),
    },
  }),
  ...Object.fromEntries(
    [
      '<b>',
      '<',
      '< ',
      '<a target=x>',
      '<td lang=x>',
      '<b>x</b>',
      '&',
      '&amp;',
      '<!--',
      '</b>',
      '<a href="x:y">',
    ].map((unit) => [`HTML of ${unit}`, html(filled(unit, 900_000))]),
  ),
  'HTML of one tag with many attributes': html(`<img ${filled('a=1 ', 190_000)}>`),
  'HTML with all the tags it may have': () => ({ ...html(filled('<a target=x>', 119_000))(), stored: true }),
};

/** Uses the given number of milliseconds of CPU time. */
function burnCpu(ms: number): void {
  for (const started = threadCpuMs(); threadCpuMs() - started < ms; );
}

it('the measurement detects one long tick, but not many short ones', async () => {
  const turns = (count: number, ms: number) => async () => {
    for (let n = 0; n < count; n += 1) {
      await new Promise(setImmediate);
      burnCpu(ms);
    }
  };
  expect(await longestTickMs(turns(1, 110))).toBeGreaterThan(100);
  expect(await longestTickMs(turns(20, 10))).toBeLessThan(100);
  // Waiting uses no CPU time.
  expect(await longestTickMs(() => new Promise((resolve) => setTimeout(resolve, 150)))).toBeLessThan(100);
});

it.each(Object.entries(requests))('%s', async (_name, make) => {
  const request = make();
  const text = typeof request.body === 'string' ? request.body : JSON.stringify(request.body);
  expect(text.length).toBeLessThan(1024 * 1024);
  let status = 0;
  const send = async () => {
    const response = await t.app.fetch(
      new Request(`http://duet.test${request.path}`, {
        method: request.method ?? 'POST',
        headers: {
          'content-type': request.type ?? 'application/json',
          authorization: `Bearer ${(request.guest ? guest : shop.admin).token}`,
          ...request.headers,
        },
        body: text,
      }),
    );
    status = response.status;
    const responseText = await response.text();
    expect(responseText.length).toBeLessThan(2 * 1024 * 1024);
  };
  const blockedMs = await shortestBlockingMs(100, send);
  expect(status).toBeLessThan(500);
  if (!request.stored || onPostgres) expect(blockedMs).toBeLessThan(100);
});
