/** One list of domains: the same names in every layer, and nothing that the list does not know. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getOperationAST, parse } from 'graphql';
import { expect, it } from 'vitest';
import { domains } from '../../src/domains/index.ts';
import type { RestRoute } from '../../src/rest/route.ts';

const known: ReadonlySet<string> = new Set(domains);

const unknown = (folder: string, { but = [] as string[] } = {}) =>
  readdirSync(folder)
    .map((name) => name.replace(/\.\w+$/, ''))
    .filter((name) => !known.has(name) && !but.includes(name))
    .map((name) => `${folder}/${name} is not in src/domains/index.ts`);

it('knows every domain', () => {
  // `shared` is what domains have in common, and adds nothing of its own to the gateway.
  expect(unknown('src/domains', { but: ['index', 'shared'] })).toEqual([]);
  expect(domains.filter((domain) => !existsSync(`src/domains/${domain}`))).toEqual([]);
});

it('names the files of each layer after domains', () => {
  // `platform` holds the tables of no domain: signing keys, idempotency keys, the outbox.
  expect(unknown('prisma/models', { but: ['platform'] })).toEqual([]);
  expect(unknown('src/http/pages/examples')).toEqual([]);
  expect(unknown('scripts/openapi/examples')).toEqual([]);
  expect(unknown('test/parity/samples', { but: ['index'] })).toEqual([]);
});

it('names folders of tests after domains, or after what concerns all of them', () => {
  const ofAll = ['contract', 'db', 'examples', 'graphql', 'http', 'lib', 'live', 'parity', 'rest', 'support'];
  const ofOperation = [
    'browser',
    'cli',
    'fuzz',
    'hostile',
    'ops',
    'reliability',
    'retention',
    'mutation',
    'on-pglite',
    'rules',
    'simulation',
    'upgrades',
  ];
  expect(unknown('test', { but: [...ofAll, ...ofOperation] })).toEqual([]);
});

it.each(domains.filter((domain) => existsSync(`src/domains/${domain}/routes.ts`)))(
  'stores the operations of %s where its rows are',
  async (domain) => {
    const { routes } = (await import(`../../src/domains/${domain}/routes.ts`)) as { routes: RestRoute[] };
    const stored = parse(readFileSync(`src/domains/${domain}/operations.graphql`, 'utf8'));
    const elsewhere = routes.filter(({ operation }) => !getOperationAST(stored, operation.name));
    expect(elsewhere.map(({ operation }) => operation.name)).toEqual([]);
  },
);
