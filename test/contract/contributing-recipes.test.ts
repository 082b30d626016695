/** The recipes of CONTRIBUTING.md for a field and a domain: they work, and `npm run check` reports forgotten steps. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { unpackDbTemplateArchive } from '../../src/db/embedded/read-and-unpack-template-archive.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { CopiedTree, type Edit } from '../support/copied-tree.ts';
import { type Gateway, startGatewayFromTree } from '../support/gateway-process.ts';
import { notices, registration } from './sample-domain.ts';

const fieldsFile = 'src/domains/products/api-field-declarations.ts';
const prismaFile = 'prisma/models/products.prisma';

const declaration = (name: string, options: string): Edit => ({
  file: fieldsFile,
  after: 'export const productApiFields = {\n',
  add: `  ${name}: apiField.text({ max: 100, default: '', ${options} }),\n`,
});

/** A plain field of the document: one edit. */
const origin = [declaration('origin', `description: 'Country of origin.'`)];

/** A plain field with its own column: also needs the Prisma model, and a generated migration. */
const shelf = [
  declaration('shelf', `column: true, description: 'Shelf in the warehouse.'`),
  { file: prismaFile, after: 'model Product {\n', add: '  shelf String @default("")\n' },
];

const filesOf = (edits: readonly Edit[]) => [...new Set(edits.map(({ file }) => file))];

it('needs one edit, or two with a column, in the files listed in CONTRIBUTING.md', () => {
  const recipe = readFileSync('CONTRIBUTING.md', 'utf8');
  expect(origin).toHaveLength(1);
  expect(shelf).toHaveLength(2);
  for (const file of filesOf([...origin, ...shelf])) expect(recipe).toContain(`\`${file}\``);
});

/** The recipe for a field with another name. */
const renamed = (edits: readonly Edit[], from: string, to: string): Edit[] =>
  edits.map((edit) => ({ ...edit, add: edit.add.replaceAll(from, to) }));

// One tree for all tests: modules of another folder have to be compiled again.
let tree: CopiedTree;
beforeAll(() => {
  tree = new CopiedTree();
  return () => tree.remove();
});

describe('a forgotten step is reported by npm run check', () => {
  afterAll(() => {
    for (const file of filesOf([...origin, ...shelf, ...notices])) tree.restore(file);
  });

  /** One incomplete field for each file of the recipe. */
  const forgetful = filesOf(shelf).map((file, index) => ({
    file,
    field: `shelf${index}`,
    edits: renamed(shelf, 'shelf', `shelf${index}`).filter((edit) => edit.file !== file),
  }));

  it('in any file, or in the list of domains', async () => {
    // All in one run: the check takes seconds.
    for (const { edits } of forgetful) tree.apply(edits);
    tree.apply(notices);
    const { code, output } = await tree.run('tsx', 'scripts/check-fields.ts');
    expect(code).toBe(1);
    const lines = output.trim().split('\n');
    expect(lines).toContain('src/domains/domain-names.ts does not list `notices`');
    for (const { file, field } of forgetful)
      expect(
        lines.filter((line) => line.startsWith(file) && line.includes(`\`${field}\``)),
        `${field} is not in ${file}`,
      ).not.toEqual([]);
  });
});

describe('the complete recipes', () => {
  let gateway: Gateway;
  let token = '';
  const fields = { origin: 'Kyoto', shelf: 'B7' };
  const path = `/v1/businesses/${demoShopIdsAndLogins.businessId}/products`;

  const send = async (to: string, body?: object) => {
    const response = await fetch(`${gateway.url}${to}`, {
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    });
    return JSON.parse(await response.text());
  };

  beforeAll(async () => {
    tree.apply([...origin, ...shelf, ...notices, registration]);
    for (const command of [
      ['tsx', 'scripts/migration.ts', 'new', 'add_shelf_and_notices'],
      // `npm run generate`, and the part of `npm run check` that loads the same sources, which takes longest.
      ['tsx', '--eval', `import('./scripts/generate.ts').then(() => import('./scripts/check-fields.ts'))`],
      // `npm run format`, for the changed folders.
      ['biome', 'check', '--write', 'prisma', 'schema', 'src/domains'],
      // The rest of `npm run check` verifies generated files, which were written above.
      ['tsc', '--noEmit', '--project', 'tsconfig.build.json'],
    ]) {
      const { code, output } = await tree.run(...command);
      expect(code, `${command.join(' ')}\n${output}`).toBe(0);
    }
    // An existing database, which the new migration upgrades.
    const dataDir = join(tree.root, '.data');
    await unpackDbTemplateArchive(inject('pgliteTemplate'), dataDir);
    gateway = await startGatewayFromTree(tree.root, { DATA_DIR: dataDir });
    const login = {
      provider: 'EMAIL',
      email: demoShopIdsAndLogins.email,
      password: demoShopIdsAndLogins.password,
    };
    token = (await send('/v1/users/login', login)).accessToken;
  });
  afterAll(() => gateway?.stop());

  it('add the fields to OpenAPI and to the typed operations', () => {
    const { components } = JSON.parse(tree.read('schema/openapi.json'));
    expect(components.schemas.Product.properties).toMatchObject({
      origin: { type: 'string', description: 'Country of origin.' },
      shelf: { type: 'string', description: 'Shelf in the warehouse.' },
    });
    expect(tree.read('src/generated/operations.ts')).toMatch(
      /type ProductFieldsFragment = \{[^}]*origin: string/,
    );
    expect(tree.read('src/generated/operations.ts')).toMatch(
      /type ProductFieldsFragment = \{[^}]*shelf: string/,
    );
  });

  it('make the fields writable and readable in REST and GraphQL', async () => {
    const { id } = await send(path, { name: 'Whisk', ...fields });
    expect(await send(`${path}/${id}`)).toMatchObject(fields);
    const query = `{ product(businessId: "${demoShopIdsAndLogins.businessId}", id: "${id}") { origin shelf } }`;
    expect(await send('/graphql', { query })).toEqual({ data: { product: fields } });
    // Existing products have the default values.
    expect(await send(`${path}/stoneware-cup`)).toMatchObject({ origin: '', shelf: '' });
  });

  it('create a domain that lists, reads and creates in REST and GraphQL', async () => {
    const notices = `/v1/businesses/${demoShopIdsAndLogins.businessId}/notices`;
    const first = await send(notices, { text: 'Closed on Monday' });
    const create = `mutation { createNotice(businessId: "${demoShopIdsAndLogins.businessId}", input: { text: "Open again" }) {
      notice { id businessId text createdAt } } }`;
    const { data } = await send('/graphql', { query: create });
    const { notice: second } = data.createNotice;
    expect(await send(notices)).toEqual({ items: [second, first], cursor: null });
    expect(await send(`${notices}/${second.id}`)).toEqual(second);
    const read = `{ notices(businessId: "${demoShopIdsAndLogins.businessId}") { nodes { text } }
      notice(businessId: "${demoShopIdsAndLogins.businessId}", id: "${first.id}") { text } }`;
    expect(await send('/graphql', { query: read })).toEqual({
      data: {
        notices: { nodes: [{ text: 'Open again' }, { text: 'Closed on Monday' }] },
        notice: { text: 'Closed on Monday' },
      },
    });
    expect(await send(notices, { text: '' })).toMatchObject({ error: 'VALIDATION_FAILED' });
    const { paths } = JSON.parse(tree.read('schema/openapi.json'));
    expect(Object.keys(paths['/v1/businesses/{businessId}/notices'])).toEqual(['post', 'get']);
  });
});
