/** Every header that the gateway answers with or reads is in the contract, and browsers may send and read it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { corsHeaders, corsPreflightResponse } from '../../src/http/cors.ts';
import { packageRoot } from '../../src/lib/package-info.ts';
import { ofHttp } from '../support/openapi.ts';

const contract = JSON.parse(readFileSync(join(packageRoot, 'schema/openapi.json'), 'utf8')) as {
  components: Record<'headers' | 'parameters' | 'securitySchemes', Record<string, { name?: string }>>;
  paths: unknown;
};
const { components } = contract;

/** Where answers of REST are made: pages, files and metrics are no part of its contract. */
const places = [
  'rest',
  'domains',
  'graphql',
  'auth',
  'http/guard',
  'http/dispatch.ts',
  'http/request-facts.ts',
];

const sources = places
  .flatMap((place) => {
    const path = join(packageRoot, 'src', place);
    if (place.endsWith('.ts')) return [path];
    const files = readdirSync(path, { recursive: true, encoding: 'utf8' });
    return files.filter((file) => file.endsWith('.ts')).map((file) => join(path, file));
  })
  .map((path) => readFileSync(path, 'utf8'));

const namesBy = (patterns: readonly RegExp[]) =>
  new Set(
    sources.flatMap((source) =>
      patterns.flatMap((pattern) => [...source.matchAll(pattern)].map(([, name = '']) => name.toLowerCase())),
    ),
  );

const listed = (header: string | undefined) => (header ?? '').split(', ').map((name) => name.toLowerCase());
const lower = (names: Iterable<string>) => new Set([...names].map((name) => name.toLowerCase()));

const exposed = listed(corsHeaders['access-control-expose-headers']);
const allowed = listed(corsPreflightResponse().headers['access-control-allow-headers']);
const answered = lower(Object.keys(components.headers));
const { bearer: _bearer, ...keys } = components.securitySchemes;
const read = lower([
  ...Object.keys(components.parameters),
  ...Object.values(keys).flatMap(({ name }) => name ?? []),
  'Authorization',
]);

/** What the gateway sends when it calls others: mails and webhooks. */
const ofCalls = /^(?:list-.+|user-agent|webhook-.+)$/;

/** Read on the way, or agreed upon by HTTP: which form, which language, which trace. */
const ofTransport = /^(?:accept.*|content-.+|x-forwarded-for|traceparent)$/;

const lacking = (names: Iterable<string>, known: ReadonlySet<string>, own: RegExp) =>
  [...names].filter((name) => !known.has(name) && !own.test(name));

it('describes every header that an answer may have', () => {
  const set = namesBy([
    /'([A-Za-z]+(?:-[A-Za-z]+)+)':\s/g,
    /[hH]eaders\['([\w-]+)'\]\s*\??\??=/g,
    /\bheaders\.(\w+) =/g,
    /headers: \{ (\w+): /g,
  ]);
  expect([...set]).toEqual(
    expect.arrayContaining(['etag', 'link', 'ratelimit-limit', 'x-consistency-token', 'allow']),
  );
  expect(lacking(set, answered, ofHttp).filter((name) => !ofCalls.test(name))).toEqual([]);
});

it('describes every header that it reads', () => {
  const asked = namesBy([/\bheader\('([\w-]+)'\)/g]);
  expect([...asked]).toEqual(expect.arrayContaining(['if-match', 'x-duet-version', 'x-client-name']));
  expect(lacking(asked, read, ofTransport)).toEqual([]);
});

it('lets browsers read and send what it describes, and nothing else', () => {
  const own = (names: Iterable<string>) => [...names].sort();
  // Browsers show it by themselves.
  expect(own(exposed)).toEqual(own(answered).filter((name) => name !== 'www-authenticate'));
  expect(own(allowed)).toEqual(own([...read, 'content-type']));
});

it('describes each of them once, and refers to it', () => {
  const text = JSON.stringify(contract);
  const inPaths = JSON.stringify(contract.paths);
  for (const kind of ['headers', 'parameters'] as const)
    for (const name of Object.keys(components[kind])) {
      expect(text.includes(`"#/components/${kind}/${name}"`), name).toBe(true);
      if (kind === 'parameters') expect(inPaths.includes(`"name":"${name}"`), name).toBe(false);
    }
});
