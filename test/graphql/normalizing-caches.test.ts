/** Apollo Client and Relay return from their caches what the gateway has sent, for all stored operations and those of the examples. */
import { readFileSync } from 'node:fs';
import { isObjectType, OperationTypeNode, parse, print } from 'graphql';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { routes } from '../../src/generated/domains/routes.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { reviveSessions, Snapshots } from '../parity/database-snapshot.ts';
import { createWorld, type World } from '../parity/fixtures.ts';
import { domains, samples } from '../parity/samples/index.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { routeVariables } from '../support/protocol-clients.ts';
import { createApolloCache } from './caches/apollo.ts';
import { type CachedOperation, operationOf } from './caches/cached-operation.ts';
import { toClientDocument } from './caches/client-documents.ts';
import { exampleOperations } from './caches/example-operations.ts';
import { createRelayStore } from './caches/relay.ts';

let t: TestApp;
let world: World;
const executed: CachedOperation[] = [];
const withoutData: string[] = [];

async function run(name: string, source: string, variables: Record<string, unknown>): Promise<void> {
  const document = toClientDocument(source);
  const { data, errors } = await t.graphql(print(document), variables, { as: world.shop.admin });
  if (errors.length === 0 && data) executed.push({ name, document, variables, data });
  else withoutData.push(name);
}

const isQueryOperation = ({ document }: CachedOperation) =>
  operationOf(document).operation === OperationTypeNode.QUERY;
const isQuery = ({ source }: { source: string }) =>
  operationOf(parse(source)).operation === OperationTypeNode.QUERY;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  world = await createWorld(t, domains);
  const stored = new Map(
    routes.map((route) => [
      route.operation.name,
      {
        ...route.operation,
        variables: () => routeVariables(route, samples[route.operation.name]?.(world) ?? {}),
      },
    ]),
  );
  const snapshots = await Snapshots.of(t.db, t.db);
  const start = await snapshots.take();
  for (const operation of [...stored.values(), ...exampleOperations(world)]) {
    await run(operation.name, operation.source, operation.variables());
    if (isQuery(operation)) continue;
    const after = await snapshots.take(start);
    await snapshots.restore(start, after);
    if (after.sessions?.length !== start.sessions?.length) await reviveSessions(t);
  }
}, 180_000);

it('executes all operations, except those that the test app rejects', () => {
  // Without an identity provider, and the only admin of a business may not leave it.
  expect(withoutData).toEqual(['GetLoginUrl', 'DeleteMe']);
});

const errors = vi.spyOn(console, 'error');
// Apollo Client warns that it replaces objects without identity, such as stock, as a whole.
vi.spyOn(console, 'warn').mockImplementation(() => undefined);
beforeEach(() => {
  errors.mockClear();
});

describe.each([
  ['Apollo Client', createApolloCache],
  ['Relay', createRelayStore],
])('%s', (_name, createCache) => {
  it('returns each response from the cache', () => {
    for (const operation of executed) {
      const cache = createCache();
      cache.write(operation);
      expect({ name: operation.name, data: cache.read(operation) }).toEqual({
        name: operation.name,
        data: operation.data,
      });
    }
    expect(errors.mock.calls).toEqual([]);
  });

  it('returns the responses of all queries from one cache', () => {
    // A preview shows the draft of an entry under the id of the entry: clients read it without the cache.
    const queries = executed.filter((one) => isQueryOperation(one) && one.name !== 'GetEntryPreview');
    const cache = createCache();
    for (const operation of queries) cache.write(operation);
    for (const operation of queries)
      expect({ name: operation.name, data: operation.data }).toMatchObject({
        name: operation.name,
        data: cache.read(operation),
      });
    expect(errors.mock.calls).toEqual([]);
  });
});

/** Types by the field that the documentation names as their identity. */
function documentedIdentities(): Map<string, string> {
  const [, section = ''] = readFileSync('docs/reference/graphql.md', 'utf8').split('## Ids and keys');
  const rows = section.split('\n## ')[0]?.matchAll(/^\| (`.+?`) \| `(\w+)`/gm) ?? [];
  return new Map(
    [...rows].flatMap(([, types = '', identity = '']) =>
      types.split(', ').map((type) => [type.replaceAll('`', ''), identity] as const),
    ),
  );
}

it('documents the identity of each type that has an id or a key, and is no node', () => {
  const identities = documentedIdentities();
  const problems = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => !type.getInterfaces().some(({ name }) => name === 'Node'))
    .filter((type) => {
      const { id, key } = type.getFields();
      const field = id ? 'id' : key && type.name !== 'TemplateVariable' ? 'key' : undefined;
      return (id && key) || (field && identities.get(type.name) !== field);
    });
  expect(problems.map(({ name }) => name)).toEqual([]);
  for (const [type, field] of identities)
    expect(schema.getType(type), type).toHaveProperty(`_fields.${field}`);
});
