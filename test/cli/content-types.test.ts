/** `duet types`: types of the content of a business, drift, and what the compiler reports. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { typesCommand } from '../../src/cli/commands/types-of-collections.ts';
import {
  defaultClientPackage,
  formatContentTypes,
} from '../../src/cli/content-types/format-content-types.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { listen } from '../support/browser.ts';

let t: TestApp;
let shop: Shop;
let url: string;
let collectionPath: string;
const folder = mkdtempSync(join(tmpdir(), 'duet-types-'));
const out = join(folder, 'content.ts');

const blocks = [
  { id: 'title', type: 'TEXT', label: 'Title */ of it', required: true },
  { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
  { id: "it's", type: 'SELECT', required: true, settings: { options: ['a', "b'c"] } },
  { id: 'product', type: 'RELATIONSHIP', required: true, settings: { targetType: 'PRODUCT' } },
];

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  shop = await t.shop();
  url = await listen(t);
  const { body } = await t.rest<{ id: string }>('POST', `/v1/businesses/${shop.businessId}/collections`, {
    as: shop.admin,
    body: { name: 'Our journal', slug: 'our-journal', blocks, status: 'PUBLISHED' },
  });
  collectionPath = `/v1/businesses/${shop.businessId}/collections/${body.id}`;
  await t.rest('POST', `/v1/businesses/${shop.businessId}/collections`, {
    as: shop.admin,
    body: { name: 'Plans', slug: 'plans', statuses: [{ status: 'DRAFT' }] },
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

async function runTypes(...args: string[]): Promise<string> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await typesCommand({ DUET_URL: url }, ['--business', shop.businessId, ...args]);
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
}

it('prints the fields of each collection that a guest sees, and of drafts with a token', async () => {
  expect(
    await runTypes(),
  ).toBe(`/** Content types of a business, generated from its collections: generate them again instead of editing this file. */
import { defineCollection, type Reference, type RichText } from '@duet-gateway/client-graphql/content';

/** Fields of the entries of Our journal. */
export interface OurJournalFields {
  /** Title * / of it */
  title: string;
  body: RichText | null;
  'it\\'s': 'a' | 'b\\'c';
  product: Reference<'Product'> | null;
}

export const OurJournal = defineCollection<OurJournalFields>('our-journal', {
  title: 'text!',
  body: 'richText',
  'it\\'s': 'option!',
  product: 'reference',
});
`);
  expect(await runTypes('--token', shop.admin.token)).toContain("defineCollection<PlansFields>('plans'");
});

it('writes the file, and finds drift when a block is renamed', async () => {
  await expect(runTypes('--out', out, '--check')).rejects.toThrow('differs');
  expect(await runTypes('--out', out)).toContain('written');
  expect(await runTypes('--out', out, '--check')).toContain('is current');
  await t.rest('PUT', collectionPath, {
    as: shop.admin,
    body: { blocks: [{ ...blocks[0], id: 'headline' }, ...blocks.slice(1)] },
  });
  const before = readFileSync(out, 'utf8');
  await expect(runTypes('--out', out, '--check')).rejects.toThrow(
    /^\S+ differs from .*\n- title: string;\n- title: 'text!',\n\+ headline: string;\n\+ headline: 'text!',$/,
  );
  expect(readFileSync(out, 'utf8')).toBe(before);
  expect(await runTypes('--out', out)).toContain('written');
});

it('rejects wrong options and reports gateways and businesses that do not answer', async () => {
  await expect(typesCommand({}, [])).rejects.toThrow('--business');
  await expect(runTypes('--check')).rejects.toThrow('--out');
  await expect(runTypes('--url', 'nowhere')).rejects.toThrow('--url must be a URL');
  await expect(runTypes('--url', 'http://127.0.0.1:9')).rejects.toThrow('cannot be reached');
  await expect(runTypes('--token', 'wrong')).rejects.toThrow('401');
  await expect(
    typesCommand({ DUET_URL: url }, ['--business', shop.businessId.replace(/.$/, 'x')]),
  ).rejects.toThrow('404');
});

it('gives collections with reserved or equal names a number', () => {
  const collections = ['media', 'a-b', 'aB', '2024', '日記'].map((slug) => ({
    slug,
    name: slug,
    blocks: [],
  }));
  const names = [...formatContentTypes(collections).matchAll(/export const (\w+)/g)].map(([, name]) => name);
  expect(names).toEqual(['Media2', 'AB', 'AB2', 'Collection2024', 'Collection']);
});

it('imports from the client package of this repository', () => {
  const { name } = JSON.parse(readFileSync(resolve('packages/client-graphql/package.json'), 'utf8'));
  expect(defaultClientPackage).toBe(name);
});

it('makes a renamed block a compile error', async () => {
  const { execFile } = await import('node:child_process');
  const client = resolve('packages/client-graphql/src/content.ts');
  writeFileSync(out, readFileSync(out, 'utf8').replace('@duet-gateway/client-graphql/content', client));
  const probe = join(folder, 'probe.ts');
  writeFileSync(
    probe,
    `import { listEntries, type RichText } from '${client}';
import { OurJournal } from './content.ts';
const { entries } = await listEntries({ run: async () => ({}) as never }, OurJournal, { businessId: '', fields: ['headline', 'body', "it's"] });
const title: string | undefined = entries[0]?.fields.headline;
const body: RichText | null | undefined = entries[0]?.fields.body;
const option: 'a' | "b'c" | undefined = entries[0]?.fields["it's"];
entries[0]?.fields.title;
entries[0]?.fields.product;
console.log(title, body, option);
export {};
`,
  );
  const config = join(folder, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({
      extends: resolve('packages/tsconfig.json'),
      compilerOptions: {
        rootDir: '/',
        noEmit: true,
        emitDeclarationOnly: false,
        declaration: false,
        rewriteRelativeImportExtensions: false,
      },
      files: [probe],
    }),
  );
  const output = await new Promise<string>((done) =>
    execFile(resolve('node_modules/.bin/tsc'), ['-p', config], (_error, stdout) => done(stdout)),
  );
  const errors = [...output.matchAll(/probe\.ts\((\d+),.*: (.*)$/gm)].map(([, line, text]) => [
    Number(line),
    text,
  ]);
  expect(errors).toEqual([
    [7, expect.stringContaining("Property 'title' does not exist")],
    [8, expect.stringContaining("Property 'product' does not exist")],
  ]);
});
