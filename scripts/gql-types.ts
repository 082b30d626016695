/** The types behind the client's `gql`: gql.tada's reading of documents, and the schema in the form that it reads. */
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

/** As the stored operations have them, see codegen.ts. */
const scalars: Readonly<Record<string, string>> = {
  ...{ ID: 'string', String: 'string', Boolean: 'boolean', Int: 'number', Float: 'number' },
  ...{ Timestamp: 'number', Money: 'number', JSON: 'unknown' },
};

const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(' | ') || 'never';

function reference(type: GraphQLType): string {
  if (isNonNullType(type)) return `{ kind: 'NON_NULL'; ofType: ${reference(type.ofType)} }`;
  if (isListType(type)) return `{ kind: 'LIST'; ofType: ${reference(type.ofType)} }`;
  return `{ name: '${type.name}' }`;
}

const namesOf = (args: readonly GraphQLArgument[]) => quoted(args.map(({ name }) => name));

/** Beside what gql.tada reads: what `gql` checks documents by. */
const field = ({ name, type, args }: GraphQLField<unknown, unknown>) =>
  `'${name}': { name: '${name}'; type: ${reference(type)}; of: '${getNamedType(type).name}'; takes: ${namesOf(args)}; needs: ${namesOf(args.filter(isRequiredArgument))} }`;

function described(type: GraphQLNamedType, schema: GraphQLSchema): string {
  const name = `name: '${type.name}'`;
  if (isEnumType(type))
    return `{ ${name}; enumValues: ${quoted(type.getValues().map((value) => value.name))} }`;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map(
      (one) =>
        `{ name: '${one.name}'; type: ${reference(one.type)}; defaultValue: ${one.defaultValue === undefined ? 'null' : 'string'} }`,
    );
    return `{ kind: 'INPUT_OBJECT'; ${name}; isOneOf: ${type.isOneOf}; inputFields: [${fields.join(', ')}] }`;
  }
  const possible = isAbstractType(type) ? schema.getPossibleTypes(type).map((one) => one.name) : [];
  if (isObjectType(type) || isInterfaceType(type)) {
    const fields = `fields: { ${Object.values(type.getFields()).map(field).join('; ')} }`;
    if (isObjectType(type)) return `{ kind: 'OBJECT'; ${name}; ${fields} }`;
    return `{ kind: 'INTERFACE'; ${name}; ${fields}; possibleTypes: ${quoted(possible)} }`;
  }
  if (isAbstractType(type))
    return `{ kind: 'UNION'; ${name}; fields: {}; possibleTypes: ${quoted(possible)} }`;
  const scalar = scalars[type.name];
  if (!scalar) throw new Error(`The scalar ${type.name} needs its TypeScript in scripts/gql-types.ts.`);
  return `{ ${name}; type: ${scalar} }`;
}

export function schemaTypes(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap()).map(
    (type) => `  ${type.name}: ${described(type, schema)};`,
  );
  const roots = Object.values(OperationTypeNode).map(
    (operation) => `  ${operation}: '${schema.getRootType(operation)?.name}';`,
  );
  return `export interface Schema {\n${roots.join('\n')}\n  types: Types;\n}\n\nexport interface Types {\n${types.join('\n')}\n}\n`;
}

const imported =
  "import { Kind, OperationTypeNode, DocumentNode, DefinitionNode } from '@0no-co/graphql.web';";
const unneeded = '\ntype fragmentRegistryEntry<';
const used = [
  ...['decorateFragmentDef', 'DefinitionDecoration', 'DocumentNodeLike', 'FragmentShape', 'getDocumentType'],
  ...['getFragmentsOfDocuments', 'getVariablesType', 'parseDocument'],
];

/**
 * gql.tada's types without the rest of it: whoever depends on the package gets a language server and a compiler, and needs
 * `graphql` for the names of nodes, which are written out here.
 */
export function readingTypes(declared: string, license: string): string {
  const end = declared.indexOf(unneeded);
  if (!declared.startsWith(imported) || end < 0)
    throw new Error('The declarations of gql.tada are not what they were: see scripts/gql-types.ts.');
  const namespace = (name: string, values: Readonly<Record<string, string>>) =>
    `declare namespace ${name} {\n${Object.entries(values)
      .map(([key, value]) => `  type ${key} = '${value}';`)
      .join('\n')}\n}\n`;
  return [
    `/*! The types of gql.tada.\n${license.trim()}\n*/`,
    namespace('Kind', Kind),
    namespace('OperationTypeNode', OperationTypeNode),
    declared.slice(imported.length, end),
    `export type { ${used.join(', ')} };\n`,
  ].join('\n');
}
