/** Generates the responses of both clients' mocks from the examples in schema/openapi.json. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { httpStatusByErrorCode } from '../src/errors.ts';
import { packageRoot } from '../src/lib/package-info.ts';
import { OperationSelection } from '../src/rest/route-with-parsed-operation.ts';

type Json = { [key: string]: Json } & { [key: string]: unknown };

/** The year 2100, so that a session does not expire during a test. */
const lateExpiry = { 'AuthResult.expiresAt': 4_102_444_800 };

/** Value of a field without an example, by scalar. */
const defaultValues: Readonly<Record<string, unknown>> = {
  ID: '01900000-0000-7000-8000-000000000001',
  String: '',
  Boolean: false,
  Int: 1,
  Float: 1.5,
  Timestamp: 1_767_225_600,
  DateTime: '2026-01-01T00:00:00.000Z',
  Money: 4999,
  JSON: {},
};

/** Examples in the REST contract, by GraphQL coordinate. */
function collectExamples(contract: Json): Readonly<Record<string, unknown>> {
  const examples: Record<string, unknown> = {};
  for (const schema of Object.values(contract.components?.schemas ?? {}))
    for (const property of Object.values(schema.properties ?? {})) {
      const field = String(property['x-graphql-field']);
      if (Array.isArray(property.examples)) examples[field] ??= property.examples[0];
    }
  return { ...examples, ...lateExpiry };
}

const statuses = `export const statuses = ${JSON.stringify(httpStatusByErrorCode)} as const;\n`;

/** Module with the mock response of every route. Its types fail to compile if a response does not match the contract. */
export function restMockResponses(contract: Json): string {
  const responses = Object.values(contract.paths ?? {}).flatMap((methods) =>
    Object.values(methods)
      .filter((operation) => operation['x-graphql-operation'])
      .map((operation) => {
        const example = operation.responses?.[200]?.content?.['application/json']?.example as Json;
        const expiry = 'accessToken' in example ? { expiresAt: lateExpiry['AuthResult.expiresAt'] } : {};
        return `  ${String(operation.operationId)}: ${JSON.stringify({ ...example, ...expiry })},`;
      }),
  );
  return `import type { AnswerOf, OperationName } from '../index.ts';

export const answers: { readonly [Name in OperationName]: AnswerOf<Name> } = {
${responses.join('\n')}
};

${statuses}`;
}

/** Module with the mock response of every stored operation: exactly the fields that it selects. */
export function graphqlMockResponses(contract: Json, schema: GraphQLSchema): string {
  const examples = collectExamples(contract);
  const folder = join(packageRoot, 'src', 'domains');
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  const { definitions } = parse(texts.join('\n'));
  const fragments = definitions.filter(
    (definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION,
  );
  const selection = new OperationSelection(
    schema,
    new Map(fragments.map((fragment) => [fragment.name.value, fragment])),
  );

  const mockValue = (type: GraphQLOutputType, field: string, sets: readonly SelectionSetNode[]): unknown => {
    if (isNonNullType(type)) return mockValue(type.ofType, field, sets);
    const example = examples[field];
    if (isListType(type)) return Array.isArray(example) ? example : [mockValue(type.ofType, field, sets)];
    if (isAbstractType(type)) return recordOf(schema.getPossibleTypes(type)[0] as GraphQLObjectType, sets);
    if (isObjectType(type)) return recordOf(type, sets);
    return example ?? (isEnumType(type) ? type.getValues()[0]?.name : defaultValues[type.name]);
  };
  const recordOf = (type: GraphQLObjectType, sets: readonly SelectionSetNode[]): unknown =>
    Object.fromEntries(
      selection.fieldsOf(type, sets).map(({ key, field, selections }) => {
        const name = `${type.name}.${field.name}`;
        const isUnset = !isNonNullType(field.type) && selections.length === 0 && examples[name] === undefined;
        return [key, isUnset ? null : mockValue(field.type, name, selections)];
      }),
    );

  const operations = definitions.filter(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const responses = operations.map(({ name, operation, selectionSet }) => {
    const root = schema.getRootType(operation) as GraphQLObjectType;
    const kind = operation.charAt(0).toUpperCase() + operation.slice(1);
    return {
      name: name?.value ?? '',
      type: `${name?.value}${kind}`,
      json: JSON.stringify(recordOf(root, [selectionSet])),
    };
  });
  return `import type {
${responses.map(({ type }) => `  ${type},`).join('\n')}
} from './operations.ts';

interface Answers {
${responses.map(({ name, type }) => `  readonly ${name}: ${type};`).join('\n')}
}

export const answers: Answers = {
${responses.map(({ name, json }) => `  ${name}: ${json},`).join('\n')}
};

export const refreshed = ${JSON.stringify(tokensOf(examples))};

${statuses}`;
}

/** Response of the token refresh, for which the GraphQL client uses REST. */
const tokensOf = (examples: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    ['accessToken', 'refreshToken', 'expiresAt'].map((name) => [name, examples[`AuthResult.${name}`]]),
  );
