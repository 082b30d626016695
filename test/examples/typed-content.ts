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

/** Runs GraphQL Code Generator with the built plugin. */
export async function generateWithPlugin(folder: string, url: string): Promise<string> {
  const file = join(folder, 'plugin-content.ts');
  const config = join(folder, 'content-codegen.json');
  writeFileSync(
    config,
    JSON.stringify({
      // Required, but the plugin reads the collections from the gateway.
      schema: 'type Query { name: String }',
      generates: {
        [file]: {
          plugins: [join(folderOf('@duet-gateway/codegen-content'), 'dist/index.js')],
          config: { url, business: demoShopIdsAndLogins.businessId },
        },
      },
    }),
  );
  await succeed(run(folder, tool(resolve('.'), 'graphql-codegen'), ['--config', config], { NODE_ENV: '' }));
  return readFileSync(file, 'utf8');
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
