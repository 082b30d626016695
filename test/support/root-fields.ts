/** Every root field of the schema with a document that selects it, for tests that call all of them as one viewer. */
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

/** Root fields without authentication. They accept an invalid token, because they are the way to get a new one. */
export const publicFields: ReadonlySet<string> = new Set([
  'register',
  'tryRegister',
  'confirmEmail',
  '_service',
  'login',
  'tryLogin',
  'loginUrl',
  'refresh',
  'forgotPassword',
  'resendConfirmation',
  'resetForgottenPassword',
  'unsubscribe',
  'confirmSubscription',
  'resubscribe',
  'entryPreview',
  'sendOrderLink',
  'orderByLink',
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

/** Root field of the stored operation of a route. */
export const rootFieldName = ({ operation }: RestRoute): string =>
  /\{\s*(\w+)/.exec(operation.source)?.[1] ?? '';

interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
}

/** Document and variables for a root field. Arguments take their values from `samples` by name, otherwise sample values of their types. */
export function rootFieldDocument(
  operation: string,
  field: Field,
  samples: Record<string, unknown>,
): GraphqlRequest {
  const args = field.args.filter(({ name, type }) => isNonNullType(type) || name in samples);
  const declared = args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const callArguments = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const typeName = String(field.type).replace(/[[\]!]/g, '');
  const selection = isLeafType(schema.getType(typeName)) ? '' : '{ __typename }';
  return {
    query: `${operation}${declared && `(${declared})`} { ${field.name}${callArguments && `(${callArguments})`} ${selection} }`,
    variables: Object.fromEntries(
      args.map(({ name, type }) => [name, samples[name] ?? sampleOf(name, type, samples)]),
    ),
  };
}

function sampleOf(name: string, type: GraphQLInputType, samples: Record<string, unknown>): unknown {
  if (isNonNullType(type)) return sampleOf(name, type.ofType, samples);
  if (isListType(type)) return [];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields())
        .filter((field) => isNonNullType(field.type))
        .map((field) => [field.name, sampleOf(field.name, field.type, samples)]),
    );
  if (name in samples) return samples[name];
  if (String(type) === 'Boolean') return true;
  return ['ID', 'String'].includes(String(type)) ? newId() : 1;
}

/** Distinct error codes in the response to a document, joined by commas. */
export async function fetchErrorCodes(
  t: TestApp,
  request: GraphqlRequest,
  as: Person | undefined,
): Promise<string> {
  const response = await t.app.fetch(
    new Request('http://duet.test/graphql', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${as?.token}`,
        'content-type': 'application/json',
        accept: request.query.startsWith('subscription') ? 'text/event-stream' : 'application/json',
      },
      body: JSON.stringify(request),
    }),
  );
  const codes = [...(await response.text()).matchAll(/"code":"(\w+)"/g)].map(([, code]) => code);
  return [...new Set(codes)].join();
}
