/** Domain layout: folders and files are named after the domains in src/domains/domain-names.ts. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getOperationAST, parse } from 'graphql';
import { expect, it } from 'vitest';
import { domainNames } from '../../src/domains/domain-names.ts';
import type { RestRoute } from '../../src/rest/route.ts';

const knownNames: ReadonlySet<string> = new Set(domainNames);

const findUnknown = (folder: string, { except = [] as string[] } = {}) =>
  readdirSync(folder)
    .map((name) => name.replace(/\.\w+$/, ''))
    .filter((name) => !knownNames.has(name) && !except.includes(name))
    .map((name) => `${folder}/${name} is not in src/domains/domain-names.ts`);

it('lists every domain folder', () => {
  // `shared` is code that domains share; it is not a domain.
  expect(findUnknown('src/domains', { except: ['domain-names', 'shared'] })).toEqual([]);
  expect(domainNames.filter((domain) => !existsSync(`src/domains/${domain}`))).toEqual([]);
});

it('names the files of each layer after domains', () => {
  // `platform` has the tables without a domain: signing keys, idempotency keys, captured messages.
  expect(findUnknown('prisma/models', { except: ['platform'] })).toEqual([]);
  expect(findUnknown('src/http/pages/examples')).toEqual([]);
  expect(findUnknown('scripts/openapi/examples')).toEqual([]);
  expect(findUnknown('test/parity/samples', { except: ['index'] })).toEqual([]);
});

it('names test folders after domains, layers or kinds of tests', () => {
  const layers = [
    'contract',
    'db',
    'examples',
    'graphql',
    'http',
    'lib',
    'live',
    'parity',
    'rest',
    'shards',
    'support',
  ];
  const testKinds = [
    'browser',
    'cli',
    'fuzz',
    'hostile',
    'ops',
    'reliability',
    'retention',
    'mutation',
    'on-pglite',
    'on-two-servers',
    'rules',
    'simulation',
    'upgrades',
    'vendor',
  ];
  expect(findUnknown('test', { except: [...layers, ...testKinds] })).toEqual([]);
});

it.each(domainNames.filter((domain) => existsSync(`src/domains/${domain}/routes.ts`)))(
  'stores the operations of %s next to its routes',
  async (domain) => {
    const { routes } = (await import(`../../src/domains/${domain}/routes.ts`)) as { routes: RestRoute[] };
    const stored = parse(readFileSync(`src/domains/${domain}/operations.graphql`, 'utf8'));
    const missing = routes.filter(({ operation }) => !getOperationAST(stored, operation.name));
    expect(missing.map(({ operation }) => operation.name)).toEqual([]);
  },
);
