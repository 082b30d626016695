/** What a row answers: its `body` applied to every way the operation's data can turn out. */
import {
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import type { Row } from '../row.ts';
import { type Components, type JsonSchema, objectSchema } from './schemas.ts';
import { type Choice, Symbols } from './symbols.ts';

/** A row with its operation read. */
export interface ReadRow {
  row: Row;
  operation: OperationDefinitionNode;
  root: GraphQLObjectType;
  symbols: Symbols;
}

export function readRow(schema: GraphQLSchema, row: Row): ReadRow {
  const document = parse(row.operation.source);
  const operation = getOperationAST(document, row.operation.name);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) throw new Error(`${row.method} ${row.path} has no operation.`);
  const fragments = document.definitions.filter(
    (definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION,
  );
  const symbols = new Symbols(schema, new Map(fragments.map((fragment) => [fragment.name.value, fragment])));
  return { row, operation, root, symbols };
}

export interface AnswerShape {
  schema: JsonSchema;
  /** Whether the row can find nothing and say 404. */
  mayBeMissing: boolean;
}

export function answerOf({ row, operation, root, symbols }: ReadRow, components: Components): AnswerShape {
  const found = new Map<string, JsonSchema>();
  let mayBeMissing = false;
  const attempt = (choice: Choice): Choice[] => {
    const { data, choices } = symbols.dataOf(root, operation.selectionSet, choice);
    const body = row.body(data);
    if (body === null || body === undefined) mayBeMissing = true;
    else {
      const schema = components.answer(symbols, body, row.operation.name);
      found.set(JSON.stringify(schema), schema);
    }
    return choices;
  };
  for (const choice of attempt({})) {
    try {
      attempt(choice);
    } catch {
      // The row relies on what this choice took away: not a way its data turns out.
    }
  }
  return { schema: merge([...found.values()]), mayBeMissing };
}

/** A cursor that was null this time says nothing that the other times do not. */
const isBareNull = (schema: JsonSchema) => Array.isArray(schema.type) && !('x-graphql-field' in schema);

/** Objects that a row puts together itself are one object with options; others are alternatives. */
function merge(schemas: readonly JsonSchema[]): JsonSchema {
  const [first, ...others] = schemas;
  if (!first) return {};
  if (others.length === 0) return first;
  if (!schemas.every((schema) => schema.type === 'object')) return { anyOf: schemas };
  const all = schemas.map((schema) => schema.properties as Record<string, JsonSchema>);
  const names = [...new Set(all.flatMap((properties) => Object.keys(properties)))];
  const properties = names.map((name) => {
    const variants = new Map(
      all.flatMap((properties) => {
        const schema = properties[name];
        return schema && !isBareNull(schema) ? [[JSON.stringify(schema), schema] as const] : [];
      }),
    );
    return [name, merge([...variants.values()])] as const;
  });
  const required = names.filter((name) =>
    schemas.every((schema) => (schema.required as string[] | undefined)?.includes(name)),
  );
  return objectSchema(Object.fromEntries(properties), required);
}
