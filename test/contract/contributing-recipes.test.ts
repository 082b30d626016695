/** The recipes for a field and a domain, done as CONTRIBUTING.md says: they work, and steps that are forgotten are named. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { unpackTemplateArchive } from '../../src/db/embedded/template-archive.ts';
import { demo } from '../../src/seed/shop-data.ts';
import { CopiedTree, type Edit } from '../support/copied-tree.ts';
import { type Gateway, startGatewayIn } from '../support/process.ts';
import { notices, registration } from './sample-domain.ts';

const products = 'src/domains/products';
const operations = 'src/domains/products/operations.graphql';
const models = 'prisma/models/products.prisma';

const shared = (field: string, what: string): Edit[] => [
  {
    file: `${products}/checks.ts`,
    after: 'export const plainFields = {\n',
    add: `  ${field}: optional(text(100)).describe('${what}'),\n`,
  },
  {
    file: `${products}/types.ts`,
    after: `category: t.exposeString('category', { description: 'Category, a list filter.' }),\n`,
    add: `      ${field}: t.exposeString('${field}', { description: '${what}' }),\n`,
  },
  { file: operations, after: 'fragment ProductFields on Product {\n', add: `  ${field}\n` },
];
const model = (after: string, add: string): Edit => ({ file: `${products}/model.ts`, after, add });
const declared = (field: string) => model('  category: string;\n', `  ${field}: string;\n`);

/** A part of the document. */
const origin = [
  declared('origin'),
  model(`const blankDocument: Pick<Product, 'description'`, ` | 'origin'`),
  model(`  description: '',\n`, `  origin: '',\n`),
  ...shared('origin', 'Where it comes from.'),
];

/** A column of its own. */
const shelf = [
  { file: models, after: 'model Product {\n', add: '  shelf String @default("")\n' },
  declared('shelf'),
  model(`...blankDocument, category: ''`, `, shelf: ''`),
  model(`  category: 'column',\n`, `  shelf: 'column',\n`),
  ...shared('shelf', 'Where it lies.'),
];

const filesOf = (edits: readonly Edit[]) => [...new Set(edits.map(({ file }) => file))];

it('takes at most five files, each named in CONTRIBUTING.md', () => {
  const recipe = readFileSync('CONTRIBUTING.md', 'utf8');
  for (const edits of [origin, shelf]) {
    expect(filesOf(edits).length).toBeLessThanOrEqual(5);
    for (const file of filesOf(edits)) expect(recipe).toContain(`\`${file}\``);
  }
});

/** The recipe for a field of another name. */
const renamed = (edits: readonly Edit[], from: string, to: string): Edit[] =>
  edits.map((edit) => ({ ...edit, add: edit.add.replaceAll(from, to) }));

// One for all: what is loaded from another folder is compiled anew.
let tree: CopiedTree;
beforeAll(() => {
  tree = new CopiedTree();
});
afterAll(() => tree.remove());

describe('a forgotten step is named by npm run check', () => {
  afterAll(() => {
    for (const file of filesOf([...origin, ...shelf, ...notices])) tree.restore(file);
  });

  /** A field for every file that may be forgotten. */
  const forgetful = [
    { recipe: origin, name: 'origin' },
    { recipe: shelf, name: 'shelf' },
  ].flatMap(({ recipe, name }) =>
    filesOf(recipe).map((file, index) => ({
      file,
      field: `${name}${index}`,
      edits: renamed(recipe, name, `${name}${index}`).filter((edit) => edit.file !== file),
    })),
  );

  it('in any file, or in the list of domains', async () => {
    // All at once: looking takes seconds.
    for (const { edits } of forgetful) tree.apply(edits);
    tree.apply(notices);
    const { code, output } = await tree.run('tsx', 'scripts/fields.ts');
    expect(code).toBe(1);
    const lines = output.trim().split('\n');
    expect(lines).toContain('src/domains/index.ts does not list `notices`');
    for (const { file, field } of forgetful)
      expect(
        lines.filter((line) => line.startsWith(file) && line.includes(`\`${field}\``)),
        `${field} is not in ${file}`,
      ).not.toEqual([]);
  });
});

describe('done as a whole', () => {
  let gateway: Gateway;
  let token = '';
  const fields = { origin: 'Kyoto', shelf: 'B7' };
  const path = `/v1/businesses/${demo.businessId}/products`;

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
      // `npm run generate`, and of `npm run check` what needs the sources as well: to load them takes longest.
      ['tsx', '--eval', `import('./scripts/generate.ts').then(() => import('./scripts/fields.ts'))`],
      // `npm run format`, of what was changed.
      ['biome', 'check', '--write', 'prisma', 'schema', 'src/domains'],
      // What `npm run check` does besides: whether what was printed, formatted and migrated a moment ago is.
      ['tsc', '--noEmit', '--project', 'tsconfig.build.json'],
    ]) {
      const { code, output } = await tree.run(...command);
      expect(code, `${command.join(' ')}\n${output}`).toBe(0);
    }
    // A database from before, which the new migration finds.
    const dataDir = join(tree.root, '.data');
    await unpackTemplateArchive(inject('pgliteTemplate'), dataDir);
    gateway = await startGatewayIn(tree.root, { DATA_DIR: dataDir });
    const login = { provider: 'EMAIL', email: demo.email, password: demo.password };
    token = (await send('/v1/users/login', login)).accessToken;
  });
  afterAll(() => gateway?.stop());

  it('is in the printed contracts and the typed operations', () => {
    const { components } = JSON.parse(tree.read('schema/openapi.json'));
    expect(components.schemas.Product.properties).toMatchObject({
      origin: { type: 'string', description: 'Where it comes from.' },
      shelf: { type: 'string', description: 'Where it lies.' },
    });
    expect(tree.read('src/generated/operations.ts')).toMatch(
      /type ProductFieldsFragment = \{[^}]*origin: string/,
    );
    expect(tree.read('src/generated/operations.ts')).toMatch(
      /type ProductFieldsFragment = \{[^}]*shelf: string/,
    );
  });

  it('is written and read in both voices', async () => {
    const { id } = await send(path, { name: 'Whisk', ...fields });
    expect(await send(`${path}/${id}`)).toMatchObject(fields);
    const query = `{ product(businessId: "${demo.businessId}", id: "${id}") { origin shelf } }`;
    expect(await send('/graphql', { query })).toEqual({ data: { product: fields } });
    // What was there before the fields reads with their defaults.
    expect(await send(`${path}/stoneware-cup`)).toMatchObject({ origin: '', shelf: '' });
  });

  it('is a domain that lists, reads and creates in both voices', async () => {
    const notices = `/v1/businesses/${demo.businessId}/notices`;
    const first = await send(notices, { text: 'Closed on Monday' });
    const create = `mutation { createNotice(businessId: "${demo.businessId}", input: { text: "Open again" }) {
      notice { id businessId text createdAt } } }`;
    const { data } = await send('/graphql', { query: create });
    const { notice: second } = data.createNotice;
    expect(await send(notices)).toEqual({ items: [second, first], cursor: null });
    expect(await send(`${notices}/${second.id}`)).toEqual(second);
    const read = `{ notices(businessId: "${demo.businessId}") { nodes { text } }
      notice(businessId: "${demo.businessId}", id: "${first.id}") { text } }`;
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
