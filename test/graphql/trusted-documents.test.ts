/** Trusted documents: run by id; with GRAPHQL_DOCUMENTS=trusted all others are rejected. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kind, parse, print, separateOperations } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTrustedDocumentRegistry, hashDocument } from '../../src/graphql/http/trusted-documents.ts';
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
  JSON.stringify({ [hashDocument(fromClient)]: fromClient }),
);
writeFileSync(
  join(folder, 'manifest.json'),
  JSON.stringify({
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [{ id: hashDocument(fromApollo), body: fromApollo }],
  }),
);
writeFileSync(join(folder, 'shared.graphql'), 'fragment Name on Business { name }');

/** Every stored operation by name, with its fragments: those of other files first. */
const storedFiles = storedOperationSources().map((source) => parse(source));
const storedTexts = new Map(
  storedFiles.flatMap((file) => {
    const others = storedFiles.filter((other) => other !== file).flatMap(({ definitions }) => definitions);
    const fragments = others.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
    const document = { kind: Kind.DOCUMENT, definitions: [...fragments, ...file.definitions] } as const;
    return Object.entries(separateOperations(document)).map(([name, operation]) => [name, print(operation)]);
  }),
);
const listProducts = storedTexts.get('ListProducts') ?? '';

let strict: TestApp;
let open: TestApp;

beforeAll(async () => {
  strict = await testApp({ GRAPHQL_DOCUMENTS: 'trusted', TRUSTED_DOCUMENTS: folder });
  open = await testApp({ TRUSTED_DOCUMENTS: folder });
});

async function send(t: TestApp, body: unknown, { handler = '', as }: { handler?: string; as?: Person } = {}) {
  const { status, body: result } = await t.rest<Record<string, unknown>>('POST', `/graphql${handler}`, {
    body,
    as,
  });
  return { status, ...result };
}

const rejection = {
  status: 200,
  errors: [
    {
      message: 'Only trusted documents are executed. Send the id of a registered document.',
      extensions: { code: 'BAD_REQUEST', details: [{ error: 'UNTRUSTED_DOCUMENT' }] },
    },
  ],
};

describe.each([
  ['the fast handler', ''],
  ['Yoga', '?handler=yoga'],
])('%s', (_name, handler) => {
  it.each([
    ['documentId', { documentId: hashDocument(fromClient) }],
    ['documentId with its algorithm', { documentId: `sha256:${hashDocument(fromClient)}` }],
    [
      'a persisted query',
      { extensions: { persistedQuery: { version: 1, sha256Hash: hashDocument(fromClient) } } },
    ],
    ['an Apollo manifest', { documentId: hashDocument(fromApollo) }],
    ['its text', { query: fromClient }],
    ['its text and id', { query: fromClient, documentId: hashDocument(fromClient) }],
  ])('runs a registered document by %s', async (_how, body) => {
    for (const t of [strict, open])
      expect(await send(t, body, { handler })).toEqual({ status: 200, data: { __typename: 'Query' } });
  });

  it('runs the stored operations of REST with variables', async () => {
    const expected = { status: 200, data: { products: { nodes: [], pageInfo: { hasNextPage: false } } } };
    for (const t of [strict, open]) {
      const { admin, businessId } = await t.shop();
      const body = { documentId: hashDocument(listProducts), variables: { businessId } };
      expect(await send(t, body, { handler, as: admin })).toMatchObject(expected);
    }
  });

  it.each([
    ['another text', { query: '{ __typename }' }],
    ['a text with a space more', { query: `${fromClient} ` }],
    ['an unknown id', { documentId: 'f'.repeat(64) }],
    ['an unknown id with its text', { query: '{ __typename }', documentId: hashDocument('{ __typename }') }],
    ['introspection', { query: '{ __schema { types { name } } }' }],
  ])('rejects %s in trusted mode', async (_name, body) => {
    expect(await send(strict, body, { handler })).toMatchObject(rejection);
  });

  it('rejects an id that is not a string', async () => {
    expect(await send(strict, { documentId: { id: 1 } }, { handler })).toMatchObject({
      status: 400,
      errors: [{ message: 'Must be a string: documentId.', extensions: { code: 'BAD_REQUEST' } }],
    });
  });

  it('rejects a registered id with another text', async () => {
    for (const t of [strict, open])
      expect(
        await send(t, { query: '{ a: __typename }', documentId: hashDocument(fromClient) }, { handler }),
      ).toMatchObject({
        errors: [{ extensions: { details: [{ error: 'DOCUMENT_MISMATCH' }] } }],
      });
  });

  it('answers an unknown id with PersistedQueryNotFound, and runs the text that is sent then', async () => {
    const persistedQuery = { version: 1, sha256Hash: hashDocument('{ __typename }') };
    expect(await send(open, { extensions: { persistedQuery } }, { handler })).toMatchObject({
      errors: [{ message: 'PersistedQueryNotFound' }],
    });
    expect(
      await send(open, { query: '{ __typename }', extensions: { persistedQuery } }, { handler }),
    ).toEqual({
      status: 200,
      data: { __typename: 'Query' },
    });
  });
});

it('checks every document of a batch, and documents in a GET', async () => {
  const batch = [{ query: fromClient }, { query: '{ __typename }' }];
  const { body } = await strict.rest<unknown>('POST', '/graphql', { body: batch });
  expect(body).toMatchObject([{ data: { __typename: 'Query' } }, { errors: rejection.errors }]);
  const get = (query: string) => strict.rest<unknown>('GET', `/graphql?${query}`);
  expect((await get(`documentId=${hashDocument(fromClient)}`)).body).toEqual({
    data: { __typename: 'Query' },
  });
  expect((await get(`query=${encodeURIComponent('{__typename}')}`)).body).toMatchObject({
    errors: rejection.errors,
  });
});

it('registers every stored operation with its fragments, those of other files first', () => {
  const documents = createTrustedDocumentRegistry({
    manifestPath: stored,
    folder: undefined,
    trustedOnly: true,
  });
  expect(storedTexts.size).toBeGreaterThan(70);
  const isRegistered = (text: string) => documents.resolve({ documentId: hashDocument(text) }) === text;
  expect([...storedTexts.values()].filter((text) => !isRegistered(text))).toEqual([]);
});

describe('an invalid document folder', () => {
  const load = (name: string, text: string) => () => {
    const bad = mkdtempSync(join(folder, 'bad-'));
    writeFileSync(join(bad, name), text);
    try {
      createTrustedDocumentRegistry({ manifestPath: stored, folder: bad, trustedOnly: true });
    } finally {
      rmSync(bad, { recursive: true });
    }
  };
  it.each([
    ['an id of another algorithm', load('a.json', '{"abc": "{ a }"}')],
    ['a manifest that is not JSON', load('a.json', '{')],
    ['a document that is not a string', load('a.json', `{"${hashDocument('1')}": 1}`)],
    ['a document that is not GraphQL', load('a.graphql', 'query {')],
    [
      'a missing folder',
      () => createTrustedDocumentRegistry({ manifestPath: stored, folder: '/nowhere', trustedOnly: true }),
    ],
  ])('prevents the start: %s', (_name, start) => {
    expect(start).toThrow(ConfigError);
  });
});
