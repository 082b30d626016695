/** Whether the data of an answer is what its document and the schema promise. */
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

/** What is wrong with it, for a document without aliases, fragments and directives. */
export function findShapeError(query: string, data: unknown): string | undefined {
  if (data === null || data === undefined) return undefined;
  const document: DocumentNode = parse(query);
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return undefined;
  const root = schema.getRootType(operation.operation);
  return root ? faultIn(root, operation.selectionSet, data, '') : 'no root';
}

function faultIn(
  type: GraphQLOutputType,
  selected: SelectionSetNode | undefined,
  value: unknown,
  at: string,
): string | undefined {
  if (isNonNullType(type))
    return value === null ? `${at} is null` : faultIn(type.ofType, selected, value, at);
  if (value === null) return undefined;
  if (value === undefined) return `${at} is missing`;
  if (isListType(type)) {
    if (!Array.isArray(value)) return `${at} is no list`;
    return first(value.map((item, index) => faultIn(type.ofType, selected, item, `${at}.${index}`)));
  }
  if (isObjectType(type)) {
    const fields = type.getFields();
    const given = value as Record<string, unknown>;
    return first(
      (selected?.selections ?? []).map((selection) => {
        if (selection.kind !== Kind.FIELD) return undefined;
        const name = selection.name.value;
        if (name === '__typename')
          return given.__typename === type.name
            ? undefined
            : `${at} is a ${given.__typename}, no ${type.name}`;
        const field = fields[name];
        return field && faultIn(field.type, selection.selectionSet, given[name], `${at}.${name}`);
      }),
    );
  }
  if (isAbstractType(type)) {
    const { __typename: name } = value as { __typename?: string };
    return schema.getPossibleTypes(type).some((one) => one.name === name) ? undefined : `${at} is a ${name}`;
  }
  const isRight = isEnumType(type) ? type.getValue(String(value)) !== undefined : isScalar(type.name, value);
  return isRight ? undefined : `${at}: ${JSON.stringify(value)} is no ${type.name}`;
}

const first = (faults: readonly (string | undefined)[]) => faults.find((fault) => fault !== undefined);

function isScalar(name: string, value: unknown): boolean {
  if (name === 'ID' || name === 'String') return typeof value === 'string';
  if (name === 'Boolean') return typeof value === 'boolean';
  if (name === 'Int' || name === 'Money') return Number.isSafeInteger(value);
  if (name === 'Float' || name === 'Timestamp') return Number.isFinite(value);
  return true;
}
