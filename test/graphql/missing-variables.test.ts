/** Missing variables in directives and arguments of root fields, and skipped root fields of subscriptions: a validation error for every kind of operation, never INTERNAL. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let person: Person;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  person = await t.person();
});

const field = {
  subscription: 'stockChanged(businessId: "x") %d { sku }',
  query: 'product(businessId: "x", id: "y") %d { id }',
  mutation: 'deleteProduct(businessId: "x", id: "y") %d { success }',
} as const;

const shapes = (kind: keyof typeof field): Record<string, string> => ({
  'include on the root field': `${kind} F($v: Boolean!) { x: ${field[kind].replace('%d', '@include(if: $v)')} }`,
  'skip on the root field': `${kind} F($v: Boolean!) { x: ${field[kind].replace('%d', '@skip(if: $v)')} }`,
  'include on an inline fragment': `${kind} F($v: Boolean!) { ... @include(if: $v) { ${field[kind].replace('%d', '')} } }`,
  'include on a fragment spread': `${kind} F($v: Boolean!) { ...R @include(if: $v) }
    fragment R on ${kind[0]?.toUpperCase()}${kind.slice(1)} { ${field[kind].replace('%d', '')} }`,
  'an argument': `${kind} F($v: ID!) { ${field[kind].replace('%d', '').replace('"x"', '$v')} }`,
});

/** A literal that skips the only root field. */
const skippedRoots = Object.entries(shapes('subscription'))
  .filter(([name]) => name !== 'an argument')
  .map(
    ([name, document]) =>
      [
        'subscription',
        `${name}, as a literal`,
        document
          .replace('($v: Boolean!)', '')
          .replace('skip(if: $v)', 'skip(if: true)')
          .replace('$v', 'false'),
      ] as const,
  );

const cases = (['query', 'mutation', 'subscription'] as const).flatMap((kind) =>
  Object.entries(shapes(kind)).map(([name, document]) => [kind, name, document] as const),
);

const mediaTypes = ['*/*', 'application/json', 'application/graphql-response+json', 'text/event-stream'];

describe.each(['anonymous', 'signed in'])('a missing variable or root field, %s', (viewer) => {
  it.each([...cases, ...skippedRoots])(
    'of a %s in %s is a validation error',
    async (_kind, _name, document) => {
      for (const accept of mediaTypes) {
        const response = await t.app.fetch(
          new Request('http://duet.test/graphql', {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              accept,
              ...(viewer === 'anonymous' ? {} : { authorization: `Bearer ${person.token}` }),
            },
            body: JSON.stringify({ query: document }),
          }),
        );
        const text = await response.text();
        expect(text).not.toContain('INTERNAL');
        expect(text).toMatch(/VALIDATION_FAILED|BAD_REQUEST/);
        expect(response.status, accept).toBeLessThan(500);
      }
    },
  );
});
