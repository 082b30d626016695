/** Whoever was signed out gets 401 from every row and every root field that looks at the viewer. */
import {
  type GraphQLField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { rows } from '../../src/generated/domains/rows.ts';
import { schema } from '../../src/graphql/schema.ts';
import { newId } from '../../src/lib/ids.ts';
import { type Account, account } from '../support/accounts.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
/** Each had every permission in a shop of their own, and an order there. */
let revoked: Record<string, Person>;
let businessId: string;

/** Anybody may call these, with a token that is no good any more too: how else would they get a new one? */
const open = new Set([
  'register',
  'tryRegister',
  'confirmEmail',
  'login',
  'tryLogin',
  'loginUrl',
  'refresh',
  'forgotPassword',
  'resetForgottenPassword',
  'unsubscribe',
]);

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  const shop = await t.shop();
  businessId = shop.businessId;
  const staff = async (): Promise<Account> => {
    const person = await account(t);
    await t.hire(shop, person, 'ADMIN');
    return person;
  };
  const signedOut = await staff();
  await t.rest('POST', '/v1/users/logout', { as: signedOut, body: {} });
  const elsewhere = await staff();
  const other = await t.rest<{ accessToken: string }>('POST', '/v1/users/login', {
    body: { provider: 'EMAIL', email: elsewhere.email, password: elsewhere.password },
  });
  await t.rest('POST', '/v1/users/reset-password', {
    as: { userId: elsewhere.userId, token: other.body.accessToken },
    body: { oldPassword: elsewhere.password, newPassword: 'grey heron waits by the lake' },
  });
  const gone = await staff();
  await t.graphql(
    'mutation($p: String) { deleteMe(password: $p) { id } }',
    { p: gone.password },
    { as: gone },
  );
  const guest = await t.rest<{ accessToken: string; userId: string }>('POST', '/v1/users/login', {
    body: { provider: 'GUEST' },
  });
  const guestPerson = { userId: guest.body.userId, token: guest.body.accessToken };
  await t.rest('POST', '/v1/users/logout', { as: guestPerson, body: {} });
  const keyOwner = await staff();
  const key = await t.withApiKey(keyOwner);
  await t.rest('PUT', '/v1/users', { as: keyOwner, body: { apiTokens: [] } });
  const expired = await t.withApiKey(keyOwner);
  await t.db.prisma.apiToken.updateMany({ where: { userId: keyOwner.userId }, data: { expiresAt: 1 } });
  revoked = {
    'signed out': signedOut,
    'after a change of password elsewhere': elsewhere,
    'account deleted': gone,
    'a guest who left': guestPerson,
    'a key that was revoked': key,
    'a key that has expired': expired,
  };
});

const kinds = [
  'signed out',
  'after a change of password elsewhere',
  'account deleted',
  'a guest who left',
  'a key that was revoked',
  'a key that has expired',
];

describe.each(kinds)('%s', (kind) => {
  it('gets 401 from every row', async () => {
    const answers: Record<string, number> = {};
    for (const row of rows) {
      const path = row.path.replace(/:(\w+)/g, (_, name: string) =>
        name === 'businessId' ? businessId : name === 'entryType' ? 'NEWSLETTER' : newId(),
      );
      const withBody = row.method === 'POST' || row.method === 'PUT';
      const { status } = await t.rest(row.method, path, {
        as: revoked[kind],
        headers: { accept: 'application/json' },
        ...(withBody ? { body: {} } : {}),
      });
      const field = lowerFirst(row.operation.source);
      if (!open.has(field)) answers[`${row.method} ${row.path}`] = status;
    }
    expect(Object.keys(answers).length).toBeGreaterThan(60);
    expect(Object.entries(answers).filter(([, status]) => status !== 401)).toEqual([]);
  });

  it('gets UNAUTHENTICATED from every root field', async () => {
    const wrong: string[] = [];
    for (const [operation, type] of [
      ['query', schema.getQueryType()],
      ['mutation', schema.getMutationType()],
      ['subscription', schema.getSubscriptionType()],
    ] as const) {
      for (const field of Object.values(type?.getFields() ?? {})) {
        if (open.has(field.name)) continue;
        const { text, variables } = documentFor(operation, field);
        const codes = await codesOf(text, variables, revoked[kind]);
        if (codes !== 'UNAUTHENTICATED') wrong.push(`${operation} ${field.name}: ${codes}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

it('knows every open operation', () => {
  const fields = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() };
  expect([...open].filter((name) => !fields[name])).toEqual([]);
});

/** The root field that a stored operation asks for. */
const lowerFirst = (source: string) => /\{\s*(\w+)/.exec(source)?.[1] ?? '';

/** A document that asks for a field with values of the right types. */
function documentFor(operation: string, field: GraphQLField<unknown, unknown>) {
  const given = field.args.filter(({ type }) => isNonNullType(type));
  const declared = given.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const passed = given.map(({ name }) => `${name}: $${name}`).join(', ');
  const named = String(field.type).replace(/[[\]!]/g, '');
  const selection = isLeafType(schema.getType(named)) ? '' : '{ __typename }';
  return {
    text: `${operation}${declared && `(${declared})`} { ${field.name}${passed && `(${passed})`} ${selection} }`,
    variables: Object.fromEntries(given.map(({ name, type }) => [name, sampleOf(name, type)])),
  };
}

function sampleOf(name: string, type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return sampleOf(name, type.ofType);
  if (isListType(type)) return [];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields())
        .filter((field) => isNonNullType(field.type))
        .map((field) => [field.name, sampleOf(field.name, field.type)]),
    );
  if (name === 'businessId') return businessId;
  if (String(type) === 'Boolean') return true;
  return ['ID', 'String'].includes(String(type)) ? newId() : 1;
}

async function codesOf(query: string, variables: object, as: Person | undefined): Promise<string> {
  const response = await t.app.fetch(
    new Request('http://duet.test/graphql', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${as?.token}`,
        'content-type': 'application/json',
        accept: query.startsWith('subscription') ? 'text/event-stream' : 'application/json',
      },
      body: JSON.stringify({ query, variables }),
    }),
  );
  const codes = [...(await response.text()).matchAll(/"code":"(\w+)"/g)].map(([, code]) => code);
  return [...new Set(codes)].join();
}
