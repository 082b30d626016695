/** Official GraphQL-over-HTTP audits, against the endpoint and against Yoga alone. */
import { type Audit, serverAudits } from 'graphql-http';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});

/** Variable coercion: 400 in the audits, 422 in the edition of September 2026. */
const supersededAudit = '86EE';

const audits = (query: string): Audit[] =>
  serverAudits({
    url: `http://duet.test/graphql${query}`,
    fetchFn: (url: string, init: RequestInit) => t.app.fetch(new Request(url, init)),
  });

describe.each([
  ['fast handler and Yoga', ''],
  ['Yoga alone', '?handler=yoga'],
])('%s', (_handlers, query) => {
  it.each(audits(query).map((audit) => [audit.id, audit.name, audit] as const))(
    '%s %s',
    async (_id, _name, audit) => {
      const result = await audit.fn();
      const expected = audit.id === supersededAudit ? 'warn' : 'ok';
      expect(result.status, 'reason' in result ? result.reason : '').toBe(expected);
    },
  );
});
