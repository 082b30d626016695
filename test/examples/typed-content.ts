/** Checks typed content: the types of the demo shop by the command and by the plugin, and the client that reads entries with them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { fetchCollections } from '../../src/cli/content-types/fetch-collections.ts';
import { formatContentTypes } from '../../src/cli/content-types/format-content-types.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { folderOf, run, succeed, tool } from './commands.ts';

/** Writes the types into the folder of the programs, before these are compiled. */
export async function writeContentTypes(folder: string, url: string): Promise<string> {
  const text = formatContentTypes(await fetchCollections({ url, business: demoShopIdsAndLogins.businessId }));
  writeFileSync(join(folder, 'content.ts'), text);
  return text;
}

/** Runs GraphQL Code Generator with the built plugin; `--check` fails when the file is not current. */
export async function generateWithPlugin(folder: string, url: string): Promise<string> {
  const file = join(folder, 'plugin-content.ts');
  const config = join(folder, 'content-codegen.json');
  writeFileSync(
    config,
    JSON.stringify({
      schema: resolve('schema/schema.graphql'),
      generates: {
        [file]: {
          plugins: [join(folderOf('@duet-gateway/codegen-content'), 'dist/index.js')],
          config: { url, business: demoShopIdsAndLogins.businessId },
        },
      },
    }),
  );
  const generate = (...args: string[]) =>
    run(folder, tool(resolve('.'), 'graphql-codegen'), ['--config', config, ...args], { NODE_ENV: '' });
  await succeed(generate());
  const text = readFileSync(file, 'utf8');
  expect((await generate('--check')).code).toBe(0);
  writeFileSync(file, text.replace('title', 'heading'));
  expect((await generate('--check')).code).not.toBe(0);
  return text;
}

export const expectedContent = {
  topic: expect.stringMatching(/^(?:brewing|origin|people)$/),
  title: expect.any(String),
  publishedAt: true,
  minutes: 'number',
  pages: [1, true],
  html: true,
  text: true,
  elements: true,
  media: 'string',
  author: 'Person',
  place: 'object',
  own: expect.any(String),
  drift: true,
};
