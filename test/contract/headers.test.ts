/** OpenAPI describes every header that the REST API reads or sends, and CORS allows browsers to send and read them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { corsPreflightResponse, staticCorsHeaders } from '../../src/http/finish-response.ts';
import { packageRoot } from '../../src/lib/package-info.ts';
import { standardHeaders } from '../support/contract-check.ts';

const contract = JSON.parse(readFileSync(join(packageRoot, 'schema/openapi.json'), 'utf8')) as {
  components: Record<'headers' | 'parameters' | 'securitySchemes', Record<string, { name?: string }>>;
  paths: unknown;
};
const { components } = contract;

/** Sources of REST responses; pages, files and metrics are not part of the contract. */
const sourceFolders = [
  'rest',
  'domains',
  'graphql',
  'auth',
  'http/guard',
  'http/dispatch-request.ts',
  'context.ts',
];

const sources = sourceFolders
  .flatMap((folder) => {
    const path = join(packageRoot, 'src', folder);
    if (folder.endsWith('.ts')) return [path];
    const files = readdirSync(path, { recursive: true, encoding: 'utf8' });
    // Translation only shows the headers of requests.
    return files
      .filter((file) => file.endsWith('.ts') && !file.startsWith('translation/'))
      .map((file) => join(path, file));
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

const exposed = listed(staticCorsHeaders['access-control-expose-headers']);
const allowed = listed(corsPreflightResponse().headers['access-control-allow-headers']);
const responseHeaders = lower(Object.keys(components.headers));
const { bearer: _bearer, ...keys } = components.securitySchemes;
const read = lower([
  ...Object.keys(components.parameters),
  ...Object.values(keys).flatMap(({ name }) => name ?? []),
  'Authorization',
]);

/** Headers of outgoing mails and webhooks. */
const outgoingHeaders = /^(?:list-.+|user-agent|webhook-.+)$/;

/** Headers of proxies, content negotiation and tracing. */
const transportHeaders = /^(?:accept.*|content-.+|x-forwarded-for|traceparent)$/;

const missingIn = (names: Iterable<string>, described: ReadonlySet<string>, excluded: RegExp) =>
  [...names].filter((name) => !described.has(name) && !excluded.test(name));

it('describes every response header', () => {
  const set = namesBy([
    /'([A-Za-z]+(?:-[A-Za-z]+)+)':\s/g,
    /[hH]eaders\['([\w-]+)'\]\s*\??\??=/g,
    /\bheaders\.(\w+) = /g,
    /headers: \{ (\w+): /g,
  ]);
  expect([...set]).toEqual(
    expect.arrayContaining(['etag', 'link', 'ratelimit-limit', 'x-consistency-token', 'allow']),
  );
  expect(
    missingIn(set, responseHeaders, standardHeaders).filter((name) => !outgoingHeaders.test(name)),
  ).toEqual([]);
});

it('describes every request header that is read', () => {
  const requestHeaders = namesBy([/\bheader\('([\w-]+)'\)/g]);
  expect([...requestHeaders]).toEqual(
    expect.arrayContaining(['if-match', 'x-duet-version', 'x-client-name']),
  );
  expect(missingIn(requestHeaders, read, transportHeaders)).toEqual([]);
});

it('allows browsers to read and send exactly the described headers', () => {
  const sorted = (names: Iterable<string>) => [...names].sort();
  // Browsers handle www-authenticate themselves.
  expect(sorted(exposed)).toEqual(sorted(responseHeaders).filter((name) => name !== 'www-authenticate'));
  expect(sorted(allowed)).toEqual(sorted([...read, 'content-type']));
});

it('describes each header once and references it', () => {
  const text = JSON.stringify(contract);
  const inPaths = JSON.stringify(contract.paths);
  for (const kind of ['headers', 'parameters'] as const)
    for (const name of Object.keys(components[kind])) {
      expect(text.includes(`"#/components/${kind}/${name}"`), name).toBe(true);
      if (kind === 'parameters') expect(inPaths.includes(`"name":"${name}"`), name).toBe(false);
    }
});
