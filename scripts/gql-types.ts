/** Types of the client's `gql`: the document parser of gql.tada, and the schema in the format that it reads. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  Kind,
  OperationTypeNode,
} from 'graphql';

/** TypeScript types of scalars, the same as in codegen.ts. */
const scalars: Readonly<Record<string, string>> = {
  ...{ ID: 'string', String: 'string', Boolean: 'boolean', Int: 'number', Float: 'number' },
  ...{ Timestamp: 'number', DateTime: 'string', Money: 'number', JSON: 'unknown' },
};

const toUnion = (names: readonly string[]) => names.map((name) => `'${name}'`).join(' | ') || 'never';

function typeReference(type: GraphQLType): string {
  if (isNonNullType(type)) return `{ kind: 'NON_NULL'; ofType: ${typeReference(type.ofType)} }`;
  if (isListType(type)) return `{ kind: 'LIST'; ofType: ${typeReference(type.ofType)} }`;
  return `{ name: '${type.name}' }`;
}

const argumentNames = (args: readonly GraphQLArgument[]) => toUnion(args.map(({ name }) => name));

/** `of`, `args` and `required` are not read by gql.tada but by the validation of `gql` (document-errors.ts). */
const fieldType = ({ name, type, args }: GraphQLField<unknown, unknown>) =>
  `'${name}': { name: '${name}'; type: ${typeReference(type)}; of: '${getNamedType(type).name}'; args: ${argumentNames(args)}; required: ${argumentNames(args.filter(isRequiredArgument))} }`;

function namedType(type: GraphQLNamedType, schema: GraphQLSchema): string {
  const name = `name: '${type.name}'`;
  if (isEnumType(type))
    return `{ ${name}; enumValues: ${toUnion(type.getValues().map((value) => value.name))} }`;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map(
      (field) =>
        `{ name: '${field.name}'; type: ${typeReference(field.type)}; defaultValue: ${field.defaultValue === undefined ? 'null' : 'string'} }`,
    );
    return `{ kind: 'INPUT_OBJECT'; ${name}; isOneOf: ${type.isOneOf}; inputFields: [${fields.join(', ')}] }`;
  }
  const possibleTypes = isAbstractType(type) ? schema.getPossibleTypes(type).map(({ name }) => name) : [];
  if (isObjectType(type) || isInterfaceType(type)) {
    const fields = `fields: { ${Object.values(type.getFields()).map(fieldType).join('; ')} }`;
    if (isObjectType(type)) return `{ kind: 'OBJECT'; ${name}; ${fields} }`;
    return `{ kind: 'INTERFACE'; ${name}; ${fields}; possibleTypes: ${toUnion(possibleTypes)} }`;
  }
  if (isAbstractType(type))
    return `{ kind: 'UNION'; ${name}; fields: {}; possibleTypes: ${toUnion(possibleTypes)} }`;
  const scalar = scalars[type.name];
  if (!scalar) throw new Error(`Add the TypeScript type of the scalar ${type.name} to scripts/gql-types.ts.`);
  return `{ ${name}; type: ${scalar} }`;
}

export function schemaTypes(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap()).map(
    (type) => `  ${type.name}: ${namedType(type, schema)};`,
  );
  const roots = Object.values(OperationTypeNode).map(
    (operation) => `  ${operation}: '${schema.getRootType(operation)?.name}';`,
  );
  return `export interface Schema {\n${roots.join('\n')}\n  types: Types;\n}\n\nexport interface Types {\n${types.join('\n')}\n}\n`;
}

const expectedImport =
  "import { Kind, OperationTypeNode, DocumentNode, DefinitionNode } from '@0no-co/graphql.web';";
/** First declaration that `gql` does not use. */
const firstUnused = '\ntype fragmentRegistryEntry<';
const exportedTypes = [
  ...['decorateFragmentDef', 'DefinitionDecoration', 'DocumentNodeLike', 'FragmentShape', 'getDocumentType'],
  ...['getFragmentsOfDocuments', 'getVariablesType', 'parseDocument'],
];

/**
 * Types of gql.tada without the package, which depends on a language server and a compiler. The names of AST nodes, which it imports
 * from `graphql`, are written out.
 */
export function documentTypes(declarations: string, license: string): string {
  const end = declarations.indexOf(firstUnused);
  if (!declarations.startsWith(expectedImport) || end < 0)
    throw new Error('The declarations of gql.tada have a new format: adapt scripts/gql-types.ts.');
  const namespace = (name: string, values: Readonly<Record<string, string>>) =>
    `declare namespace ${name} {\n${Object.entries(values)
      .map(([key, value]) => `  type ${key} = '${value}';`)
      .join('\n')}\n}\n`;
  return [
    `/*! The types of gql.tada.\n${license.trim()}\n*/`,
    namespace('Kind', Kind),
    namespace('OperationTypeNode', OperationTypeNode),
    declarations.slice(expectedImport.length, end),
    `export type { ${exportedTypes.join(', ')} };\n`,
  ].join('\n');
}
