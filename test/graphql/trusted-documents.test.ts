/** Trusted documents: run by id, and nothing else run when the gateway is told so. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kind, parse, print, separateOperations } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentRegistry, documentHash } from '../../src/graphql/http/trusted-documents.ts';
import { ConfigError } from '../../src/lib/operator-errors.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { storedOperationSources } from '../support/stored-operations.ts';

const folder = mkdtempSync(join(tmpdir(), 'duet-trusted-'));
afterAll(() => rmSync(folder, { recursive: true }));

const stored = 'schema/documents.json';
const fromClient = 'query Hello { __typename }';
const fromApollo = 'query Hi {\n  __typename\n}';
writeFileSync(
  join(folder, 'persisted-documents.json'),
  JSON.stringify({ [documentHash(fromClient)]: fromClient }),
);
writeFileSync(
  join(folder, 'manifest.json'),
  JSON.stringify({
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [{ id: documentHash(fromApollo), body: fromApollo }],
  }),
);
writeFileSync(join(folder, 'shared.graphql'), 'fragment Name on Business { name }');

const products = separateOperations(parse(readFileSync('src/domains/products/operations.graphql', 'utf8')));
const listProducts = print(products.ListProducts ?? parse(''));

let strict: TestApp;
let open: TestApp;

beforeAll(async () => {
  strict = await testApp({ GRAPHQL_DOCUMENTS: 'trusted', TRUSTED_DOCUMENTS: folder });
  open = await testApp({ TRUSTED_DOCUMENTS: folder });
});

async function send(t: TestApp, body: unknown, { lane = '', as }: { lane?: string; as?: Person } = {}) {
  const { status, body: answer } = await t.rest<Record<string, unknown>>('POST', `/graphql${lane}`, {
    body,
    as,
  });
  return { status, ...answer };
}

const refused = {
  status: 200,
  errors: [
    {
      message: 'Only trusted documents are run here. Send the id of a registered one.',
      extensions: { code: 'BAD_REQUEST', details: [{ error: 'UNTRUSTED_DOCUMENT' }] },
    },
  ],
};

describe.each([
  ['the lean lane', ''],
  ['Yoga', '?lane=yoga'],
])('%s', (_name, lane) => {
  it.each([
    ['documentId', { documentId: documentHash(fromClient) }],
    ['documentId with its algorithm', { documentId: `sha256:${documentHash(fromClient)}` }],
    [
      'a persisted query',
      { extensions: { persistedQuery: { version: 1, sha256Hash: documentHash(fromClient) } } },
    ],
    ['an Apollo manifest', { documentId: documentHash(fromApollo) }],
    ['its text', { query: fromClient }],
    ['its text and id', { query: fromClient, documentId: documentHash(fromClient) }],
  ])('runs a registered document by %s', async (_how, body) => {
    for (const t of [strict, open])
      expect(await send(t, body, { lane })).toEqual({ status: 200, data: { __typename: 'Query' } });
  });

  it('runs the stored operations of REST with variables', async () => {
    const answer = { status: 200, data: { products: { nodes: [], pageInfo: { hasNextPage: false } } } };
    for (const t of [strict, open]) {
      const { admin, businessId } = await t.shop();
      const body = { documentId: documentHash(listProducts), variables: { businessId } };
      expect(await send(t, body, { lane, as: admin })).toMatchObject(answer);
    }
  });

  it.each([
    ['another text', { query: '{ __typename }' }],
    ['a text with a space more', { query: `${fromClient} ` }],
    ['an unknown id', { documentId: 'f'.repeat(64) }],
    ['an unknown id with its text', { query: '{ __typename }', documentId: documentHash('{ __typename }') }],
    ['introspection', { query: '{ __schema { types { name } } }' }],
  ])('refuses %s when told to', async (_what, body) => {
    expect(await send(strict, body, { lane })).toMatchObject(refused);
  });

  it('refuses an id that is not a text', async () => {
    expect(await send(strict, { documentId: { id: 1 } }, { lane })).toMatchObject({
      status: 400,
      errors: [{ message: 'Must be a string: documentId.', extensions: { code: 'BAD_REQUEST' } }],
    });
  });

  it('refuses a known id with another text', async () => {
    for (const t of [strict, open])
      expect(
        await send(t, { query: '{ a: __typename }', documentId: documentHash(fromClient) }, { lane }),
      ).toMatchObject({
        errors: [{ extensions: { details: [{ error: 'DOCUMENT_MISMATCH' }] } }],
      });
  });

  it('answers an unknown id so that clients of persisted queries send the text, and then runs it', async () => {
    const persistedQuery = { version: 1, sha256Hash: documentHash('{ __typename }') };
    expect(await send(open, { extensions: { persistedQuery } }, { lane })).toMatchObject({
      errors: [{ message: 'PersistedQueryNotFound' }],
    });
    expect(await send(open, { query: '{ __typename }', extensions: { persistedQuery } }, { lane })).toEqual({
      status: 200,
      data: { __typename: 'Query' },
    });
  });
});

it('looks at every document of a batch and at GET', async () => {
  const batch = [{ query: fromClient }, { query: '{ __typename }' }];
  const { body } = await strict.rest<unknown>('POST', '/graphql', { body: batch });
  expect(body).toMatchObject([{ data: { __typename: 'Query' } }, { errors: refused.errors }]);
  const get = (query: string) => strict.rest<unknown>('GET', `/graphql?${query}`);
  expect((await get(`documentId=${documentHash(fromClient)}`)).body).toEqual({
    data: { __typename: 'Query' },
  });
  expect((await get(`query=${encodeURIComponent('{__typename}')}`)).body).toMatchObject({
    errors: refused.errors,
  });
});

it('knows every stored operation with its fragments, those of other files before its own', () => {
  const files = storedOperationSources().map((source) => parse(source));
  const documents = createDocumentRegistry({ manifestPath: stored, folder: undefined, trustedOnly: true });
  const complete = files.flatMap((file) => {
    const others = files.filter((other) => other !== file).flatMap(({ definitions }) => definitions);
    const fragments = others.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
    const whole = { kind: Kind.DOCUMENT, definitions: [...fragments, ...file.definitions] } as const;
    return Object.values(separateOperations(whole)).map(print);
  });
  expect(complete.length).toBeGreaterThan(70);
  expect(complete.filter((text) => documents.resolve({ documentId: documentHash(text) }) !== text)).toEqual(
    [],
  );
});

describe('a folder that cannot be trusted', () => {
  const load = (name: string, text: string) => () => {
    const bad = mkdtempSync(join(folder, 'bad-'));
    writeFileSync(join(bad, name), text);
    try {
      createDocumentRegistry({ manifestPath: stored, folder: bad, trustedOnly: true });
    } finally {
      rmSync(bad, { recursive: true });
    }
  };
  it.each([
    ['an id of another algorithm', load('a.json', '{"abc": "{ a }"}')],
    ['a manifest that is not JSON', load('a.json', '{')],
    ['a document that is not a text', load('a.json', `{"${documentHash('1')}": 1}`)],
    ['a document that is not GraphQL', load('a.graphql', 'query {')],
    [
      'a folder that is not there',
      () => createDocumentRegistry({ manifestPath: stored, folder: '/nowhere', trustedOnly: true }),
    ],
  ])('stops the start: %s', (_what, start) => {
    expect(start).toThrow(ConfigError);
  });
});
