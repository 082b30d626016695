/** The contract diff, run in a temporary repository: breaking changes are reported for GraphQL and REST and fail the build. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../scripts/contract/breaking-changes.ts';
import { contractDiff } from '../../scripts/contract-diff.ts';
import { listenForCommands } from '../../src/cli/control-socket.ts';
import { loadDatabaseCommand } from '../../src/cli/database-commands-by-name.ts';
import { now } from '../../src/lib/time.ts';
import { testApp } from '../support/app.ts';

const repo = mkdtempSync(join(tmpdir(), 'duet-contract-'));
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@test.example', ...args], {
    cwd: repo,
    stdio: 'pipe',
  });

beforeAll(() => {
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '-m', 'Before the contract');
  git('branch', 'before');
  cpSync('schema', join(repo, 'schema'), { recursive: true });
  cpSync('src/domains', join(repo, 'src/domains'), {
    recursive: true,
    filter: (path) => !path.endsWith('.ts'),
  });
  git('add', '.');
  git('commit', '--quiet', '-m', 'The contract');
});
beforeEach(() => git('checkout', '--quiet', '.'));
afterAll(() => rmSync(repo, { recursive: true }));

async function diff(...args: string[]) {
  const output: string[] = [];
  const status = await contractDiff(args, repo, (text) => output.push(text));
  return { status, text: output.join('\n') };
}

function edit(file: string, change: (text: string) => string) {
  const path = join(repo, file);
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
}

const editOpenApi = (change: (document: Json) => void) =>
  edit('schema/openapi.json', (text) => {
    const document = JSON.parse(text) as Json;
    change(document);
    return JSON.stringify(document);
  });

const schemaOf = (document: Json, name: string) => document.components?.schemas?.[name] as Json;
const listProducts = (document: Json) =>
  document.paths?.['/v1/businesses/{businessId}/products']?.get as Json;

describe('nothing breaks', () => {
  // One comparison, because each takes seconds.
  it('when fields, paths and optional inputs are added, and a field is deprecated, which is listed with its date', async () => {
    edit('schema/schema.graphql', (text) =>
      text
        .replace(/^type Product \{$/m, 'type Product {\n  color: String')
        .replace(/^input CreateProductInput \{$/m, 'input CreateProductInput {\n  color: String')
        .replace(
          /^type PageInfo \{$/m,
          'type PageInfo {\n  color: String @deprecated(reason: "Use tint. Deprecated since 2026-11-18.")',
        ),
    );
    editOpenApi((document) => {
      const color = { type: 'string', 'x-graphql-field': 'Product.color' } as unknown as Json;
      for (const name of ['Product', 'CreateProductInput'])
        (schemaOf(document, name).properties as Json).color = color;
      (document.paths as Json)['/v1/new'] = {} as Json;
    });
    expect(await diff('HEAD')).toEqual({
      status: 0,
      text: 'DEPRECATED  PageInfo.color: Use tint. Deprecated since 2026-11-18.\n\nNothing breaks for clients of HEAD.',
    });
  });

  it('if the base has no contract, or no base is given', async () => {
    expect(await diff('before')).toEqual({ status: 0, text: 'before had no contract yet.' });
    expect(await diff()).toMatchObject({ status: 0, text: expect.stringMatching(/^There is no tag/) });
    expect(await diff('nowhere')).toEqual({ status: 2, text: 'There is no commit nowhere.' });
  });
});

/** Removes the category of products. */
function removeCategory() {
  edit('schema/schema.graphql', (text) =>
    text.replace(/^(type Product [^{]*\{[^}]*?)\n {2}"""[^"]*"""\n {2}category: String!?\n/m, '$1\n'),
  );
  edit('src/domains/products/operations.graphql', (text) => text.replace('\n  category\n', '\n'));
  editOpenApi((document) => {
    const product = schemaOf(document, 'Product');
    delete (product.properties as Json).category;
    product.required = (product.required as unknown as string[]).filter(
      (name) => name !== 'category',
    ) as never;
  });
}

describe('a breaking change is reported', () => {
  /** Change, edit and expected message. */
  const breaks: [string, (document: Json) => void, string][] = [
    [
      'a path is removed',
      (document) => delete (document.paths as Json)['/v1/businesses/{businessId}/products/{id}'],
      'GET /v1/businesses/{businessId}/products/{id} was removed.',
    ],
    [
      'a filter is removed',
      (document) => {
        const operation = listProducts(document);
        operation.parameters = (operation.parameters as unknown as Json[]).filter(
          ({ name }) => (name as unknown) !== 'category',
        ) as never;
      },
      'the query parameter category was removed',
    ],
    [
      'an input becomes required',
      (document) => {
        schemaOf(document, 'CreateProductInput').required = ['name', 'slug'] as never;
      },
      'body.slug is required now',
    ],
    [
      'a field of a response becomes optional',
      (document) => {
        schemaOf(document, 'Market').required = ['code'] as never;
      },
      'response.currency may be absent now',
    ],
    [
      'a type changes',
      (document) => {
        (schemaOf(document, 'MarketPrice').properties as Json).price = {
          type: 'string',
          'x-graphql-field': 'MarketPrice.price',
        } as never;
      },
      'response.items[].variants[].pricing.markets[].price is string instead of integer',
    ],
    [
      'an enum of a response gets a new value',
      (document) => {
        (schemaOf(document, 'ProductStatus').enum as unknown as string[]).push('LOST');
      },
      'status may now be LOST',
    ],
    [
      'an enum of an input loses a value',
      (document) => {
        schemaOf(document, 'PromoCodeType').enum = ['FIXED'] as never;
      },
      'body.type no longer accepts',
    ],
  ];

  // One comparison, against the last tag because no base is given.
  it(`when ${breaks.map(([name]) => name).join(', ')}, or a stored operation or a value of an enum is removed`, async () => {
    git('tag', 'v1');
    for (const [, change] of breaks) editOpenApi(change);
    edit('src/domains/products/operations.graphql', (text) =>
      text.replace('query GetProduct(', 'query GetOneProduct('),
    );
    edit('schema/schema.graphql', (text) =>
      text.replace(/^(enum ProductStatus \{[^}]*) {2}ARCHIVED\n/m, '$1  LOST\n'),
    );
    const { status, text } = await diff();
    expect(status).toBe(1);
    for (const [name, , message] of breaks) expect(text, name).toContain(message);
    expect(text).toContain('The stored operation GetProduct was removed: its id is no longer trusted.');
    expect(text).toContain("Enum value 'ARCHIVED' was removed from enum 'ProductStatus'");
    expect(text).toMatch(/GraphQL {4}ProductStatus\.ARCHIVED\n[\s\S]*?Stored [\s\S]*?ListProducts\n/);
    expect(text).toContain('clients of v1.');
  });
});

it('reports a removed field with its paths and stored operations, and with the calls of its clients in 30 days', async () => {
  const t = await testApp();
  const { admin, businessId } = await t.shop();
  const key = await t.withApiKey(admin);
  const query = 'query ($b: ID!) { products(businessId: $b) { nodes { category } } }';
  const names = 'query ($b: ID!) { products(businessId: $b) { nodes { name } } }';
  for (let n = 0; n < 3; n++) await t.graphql(query, { b: businessId }, { as: key });
  for (const [name, text] of Object.entries({ careful: names, web: query }))
    await t.graphql(text, { b: businessId }, { as: admin, headers: { 'x-client-name': name } });
  const till = { as: admin, headers: { 'x-client-name': 'till' } };
  for (let n = 0; n < 2; n++) await t.rest('GET', `/v1/businesses/${businessId}/products`, till);
  await t.app.services.usage.flush();
  await t.db.write(
    `insert into usage (day, client, user_id, business_id, kind, name, calls, last_at)
     select $1::bigint, client, user_id, business_id, kind, name, 1000, $1::bigint from usage`,
    [now() - 31 * 86_400],
  );
  const dataDir = mkdtempSync(join(tmpdir(), 'duet-used-'));
  const commandContext = { config: t.app.services.config, db: t.db };
  const gateway = await listenForCommands(dataDir, commandContext, loadDatabaseCommand);
  removeCategory();
  const output: string[] = [];
  const status = await contractDiff(['HEAD', '--usage'], repo, (text) => output.push(text), {
    DATA_DIR: dataDir,
  });
  gateway?.close();
  rmSync(dataDir, { recursive: true });
  expect(status).toBe(1);
  const text = output.join('\n');
  expect(text).toContain("Field 'category' was removed from object type 'Product'");
  expect(text).toMatch(/GraphQL {4}Product\.category$/m);
  for (const address of [
    'GET /v1/businesses/{businessId}/products',
    'PUT /v1/businesses/{businessId}/products/{id}',
  ])
    expect(text).toContain(address);
  expect(text).toContain(
    'CreateProduct\n             GetProduct\n             ListCategoryProducts\n             ListProducts\n             UpdateProduct',
  );
  expect(text.match(/\n {2}Clients {4}[\s\S]*$/)?.[0].replace(/key \S+/, 'key K')).toBe(`
  Clients    key K "test" of Somebody: 3 calls in 30 days
             till: 2 calls in 30 days
             web: 1 call in 30 days

1 change breaks clients of HEAD.`);
});
