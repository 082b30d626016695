/** Answers for the mocks of both clients, put together from the examples in schema/openapi.json. */
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
import { httpStatus } from '../src/errors.ts';
import { packageRoot } from '../src/lib/package-info.ts';
import { Selection } from './openapi/selection.ts';

type Json = { [key: string]: Json } & { [key: string]: unknown };

/** A session that began in a test does not end in it: the year 2100. */
const neverExpiring = { 'AuthResult.expiresAt': 4_102_444_800 };

/** What a field holds when no example speaks of it. */
const plain: Readonly<Record<string, unknown>> = {
  ID: '01900000-0000-7000-8000-000000000001',
  String: '',
  Boolean: false,
  Int: 1,
  Float: 1.5,
  Timestamp: 1_767_225_600,
  Money: 4999,
  JSON: {},
};

/** The example of every field that the REST contract shows, by its name in GraphQL. */
function examplesIn(contract: Json): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const schema of Object.values(contract.components?.schemas ?? {}))
    for (const property of Object.values(schema.properties ?? {})) {
      const field = String(property['x-graphql-field']);
      if (Array.isArray(property.examples)) found[field] ??= property.examples[0];
    }
  return { ...found, ...neverExpiring };
}

const statuses = `export const statuses = ${JSON.stringify(httpStatus)} as const;\n`;

/** A module with the answer of every row; it compiles only while all of them are what the contract says. */
export function restAnswers(contract: Json): string {
  const answers = Object.values(contract.paths ?? {}).flatMap((methods) =>
    Object.values(methods)
      .filter((row) => row['x-graphql-operation'])
      .map((row) => {
        const example = row.responses?.[200]?.content?.['application/json']?.example as Json;
        const lasting = 'accessToken' in example ? { expiresAt: neverExpiring['AuthResult.expiresAt'] } : {};
        return `  ${String(row.operationId)}: ${JSON.stringify({ ...example, ...lasting })},`;
      }),
  );
  return `import type { AnswerOf, OperationName } from '../index.ts';

export const answers: { readonly [Name in OperationName]: AnswerOf<Name> } = {
${answers.join('\n')}
};

${statuses}`;
}

/** The same for every stored operation: what it selects, and nothing else. */
export function graphqlAnswers(contract: Json, schema: GraphQLSchema): string {
  const examples = examplesIn(contract);
  const folder = join(packageRoot, 'schema', 'operations');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const { definitions } = parse(texts.join('\n'));
  const fragments = definitions.filter(
    (one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION,
  );
  const selection = new Selection(schema, new Map(fragments.map((one) => [one.name.value, one])));

  const answerOf = (type: GraphQLOutputType, field: string, below: readonly SelectionSetNode[]): unknown => {
    if (isNonNullType(type)) return answerOf(type.ofType, field, below);
    const example = examples[field];
    if (isListType(type)) return Array.isArray(example) ? example : [answerOf(type.ofType, field, below)];
    if (isAbstractType(type)) return recordOf(schema.getPossibleTypes(type)[0] as GraphQLObjectType, below);
    if (isObjectType(type)) return recordOf(type, below);
    return example ?? (isEnumType(type) ? type.getValues()[0]?.name : plain[type.name]);
  };
  const recordOf = (type: GraphQLObjectType, sets: readonly SelectionSetNode[]): unknown =>
    Object.fromEntries(
      selection.fieldsOf(type, sets).map(({ key, field, selections }) => {
        const name = `${type.name}.${field.name}`;
        const isUnset = !isNonNullType(field.type) && selections.length === 0 && examples[name] === undefined;
        return [key, isUnset ? null : answerOf(field.type, name, selections)];
      }),
    );

  const operations = definitions.filter(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  );
  const typed = operations.map(({ name, operation, selectionSet }) => {
    const root = schema.getRootType(operation) as GraphQLObjectType;
    const kind = operation.charAt(0).toUpperCase() + operation.slice(1);
    return {
      name: name?.value ?? '',
      type: `${name?.value}${kind}`,
      answer: JSON.stringify(recordOf(root, [selectionSet])),
    };
  });
  return `import type {
${typed.map(({ type }) => `  ${type},`).join('\n')}
} from './operations.ts';

interface Answers {
${typed.map(({ name, type }) => `  readonly ${name}: ${type};`).join('\n')}
}

export const answers: Answers = {
${typed.map(({ name, answer }) => `  ${name}: ${answer},`).join('\n')}
};

export const refreshed = ${JSON.stringify(tokensOf(examples))};

${statuses}`;
}

/** What the client gets that renews its tokens, which it does over REST. */
const tokensOf = (examples: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    ['accessToken', 'refreshToken', 'expiresAt'].map((name) => [name, examples[`AuthResult.${name}`]]),
  );
