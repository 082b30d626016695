/** Every root field of the schema, with a document that asks for it: for tests that walk all of them as somebody. */
import {
  type GraphQLField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { schema } from '../../src/graphql/schema/schema.ts';
import { newId } from '../../src/lib/ids.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import type { Person, TestApp } from './app.ts';

type Field = GraphQLField<unknown, unknown>;

/** Anybody may call these, with a token that is no good any more too: how else would they get a new one? */
export const publicFields: ReadonlySet<string> = new Set([
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
  'confirmSubscription',
  'resubscribe',
  'entryPreview',
]);

export const rootFields: readonly { operation: string; field: Field }[] = (
  [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const
).flatMap(([operation, type]) =>
  Object.values(type?.getFields() ?? {}).map((field) => ({ operation, field })),
);

/** The root field that the stored operation of a row asks for. */
export const rootFieldName = ({ operation }: RestRoute): string =>
  /\{\s*(\w+)/.exec(operation.source)?.[1] ?? '';

interface Asked {
  query: string;
  variables: Record<string, unknown>;
}

/** Arguments have the values that are known by their names, others values of the right types. */
export function rootFieldDocument(operation: string, field: Field, known: Record<string, unknown>): Asked {
  const given = field.args.filter(({ name, type }) => isNonNullType(type) || name in known);
  const declared = given.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const passed = given.map(({ name }) => `${name}: $${name}`).join(', ');
  const named = String(field.type).replace(/[[\]!]/g, '');
  const selection = isLeafType(schema.getType(named)) ? '' : '{ __typename }';
  return {
    query: `${operation}${declared && `(${declared})`} { ${field.name}${passed && `(${passed})`} ${selection} }`,
    variables: Object.fromEntries(
      given.map(({ name, type }) => [name, known[name] ?? sampleOf(name, type, known)]),
    ),
  };
}

function sampleOf(name: string, type: GraphQLInputType, known: Record<string, unknown>): unknown {
  if (isNonNullType(type)) return sampleOf(name, type.ofType, known);
  if (isListType(type)) return [];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields())
        .filter((field) => isNonNullType(field.type))
        .map((field) => [field.name, sampleOf(field.name, field.type, known)]),
    );
  if (name in known) return known[name];
  if (String(type) === 'Boolean') return true;
  return ['ID', 'String'].includes(String(type)) ? newId() : 1;
}

/** The codes of all errors of the answer, each once. */
export async function fetchErrorCodes(t: TestApp, asked: Asked, as: Person | undefined): Promise<string> {
  const response = await t.app.fetch(
    new Request('http://duet.test/graphql', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${as?.token}`,
        'content-type': 'application/json',
        accept: asked.query.startsWith('subscription') ? 'text/event-stream' : 'application/json',
      },
      body: JSON.stringify(asked),
    }),
  );
  const codes = [...(await response.text()).matchAll(/"code":"(\w+)"/g)].map(([, code]) => code);
  return [...new Set(codes)].join();
}
