/** Checks the data of a GraphQL response against its document and the schema. */
import {
  type DocumentNode,
  type GraphQLOutputType,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { schema } from '../../src/graphql/schema/schema.ts';

/** First mismatch, or undefined. Supports documents without aliases, fragments and directives. */
export function findShapeError(query: string, data: unknown): string | undefined {
  if (data === null || data === undefined) return undefined;
  const document: DocumentNode = parse(query);
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return undefined;
  const root = schema.getRootType(operation.operation);
  return root ? findErrorIn(root, operation.selectionSet, data, '') : 'no root';
}

function findErrorIn(
  type: GraphQLOutputType,
  selectionSet: SelectionSetNode | undefined,
  value: unknown,
  path: string,
): string | undefined {
  if (isNonNullType(type))
    return value === null ? `${path} is null` : findErrorIn(type.ofType, selectionSet, value, path);
  if (value === null) return undefined;
  if (value === undefined) return `${path} is missing`;
  if (isListType(type)) {
    if (!Array.isArray(value)) return `${path} is no list`;
    return firstError(
      value.map((item, index) => findErrorIn(type.ofType, selectionSet, item, `${path}.${index}`)),
    );
  }
  if (isObjectType(type)) {
    const fields = type.getFields();
    const object = value as Record<string, unknown>;
    return firstError(
      (selectionSet?.selections ?? []).map((selection) => {
        if (selection.kind !== Kind.FIELD) return undefined;
        const name = selection.name.value;
        if (name === '__typename')
          return object.__typename === type.name
            ? undefined
            : `${path} is a ${object.__typename}, no ${type.name}`;
        const field = fields[name];
        return field && findErrorIn(field.type, selection.selectionSet, object[name], `${path}.${name}`);
      }),
    );
  }
  if (isAbstractType(type)) {
    const { __typename: name } = value as { __typename?: string };
    return schema.getPossibleTypes(type).some((possibleType) => possibleType.name === name)
      ? undefined
      : `${path} is a ${name}`;
  }
  const isValid = isEnumType(type) ? type.getValue(String(value)) !== undefined : isScalar(type.name, value);
  return isValid ? undefined : `${path}: ${JSON.stringify(value)} is no ${type.name}`;
}

const firstError = (errors: readonly (string | undefined)[]) => errors.find((error) => error !== undefined);

function isScalar(name: string, value: unknown): boolean {
  if (name === 'ID' || name === 'String') return typeof value === 'string';
  if (name === 'Boolean') return typeof value === 'boolean';
  if (name === 'Int' || name === 'Money') return Number.isSafeInteger(value);
  if (name === 'Float' || name === 'Timestamp') return Number.isFinite(value);
  return true;
}
