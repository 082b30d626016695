/** GraphQL coordinates that REST operations and stored operations depend on. */
import {
  buildSchema,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  parse,
  separateOperations,
  TypeInfo,
  typeFromAST,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Contract, Json } from './breaking-changes.ts';

export interface Usage {
  /** Coordinates such as `Product.name`, `Query.products.first`, `ProductStatus`. */
  rest: Map<string, Set<string>>;
  stored: Map<string, Set<string>>;
}

/** PERF: caches the two schemas of a comparison, least recently used first. Building one takes 100 ms. */
const schemaCache = new Map<string, GraphQLSchema>();

export function parseSchema({ schema: text }: Contract): GraphQLSchema {
  const schema = schemaCache.get(text) ?? buildSchema(text);
  schemaCache.delete(text);
  schemaCache.set(text, schema);
  for (const [oldest] of schemaCache) if (schemaCache.size > 2) schemaCache.delete(oldest);
  return schema;
}

export function coordinateUsage(contract: Contract): Usage {
  return {
    rest: restUsage(contract.openapi),
    stored: storedUsage(parseSchema(contract), contract.operations),
  };
}

export const storedOperationNames = ({ operations }: Contract): string[] =>
  operations.trim() === '' ? [] : Object.keys(separateOperations(parse(operations)));

/** REST operations and stored operations that use a coordinate, or any field of a type. */
export function usersOf({ rest, stored }: Usage, coordinate: string): { rest: string[]; stored: string[] } {
  const includesCoordinate = (coordinates: Set<string>) =>
    coordinates.has(coordinate) ||
    (!coordinate.includes('.') && [...coordinates].some((other) => other.startsWith(`${coordinate}.`)));
  const namesIn = (usage: Map<string, Set<string>>) =>
    [...usage].filter(([, coordinates]) => includesCoordinate(coordinates)).map(([name]) => name);
  return { rest: namesIn(rest), stored: namesIn(stored) };
}

function restUsage(openapi: Json): Usage['rest'] {
  return new Map(
    Object.entries((openapi.paths ?? {}) as Json).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        collectCoordinates(operation as Json, openapi),
      ]),
    ),
  );
}

function collectCoordinates(start: Json, openapi: Json): Set<string> {
  const coordinates = new Set<string>();
  const visitedRefs = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if ((key === 'x-graphql-field' || key === 'x-graphql-type') && typeof inner === 'string')
        coordinates.add(inner);
      else if (key === '$ref' && typeof inner === 'string' && !visitedRefs.has(inner)) {
        visitedRefs.add(inner);
        walk(resolveRef(openapi, inner));
      } else walk(inner);
    }
  };
  walk(start);
  return coordinates;
}

export const resolveRef = (openapi: Json, ref: string): Json =>
  ref
    .split('/')
    .slice(1)
    .reduce<Json>((node, key) => (node?.[key] ?? {}) as Json, openapi);

function storedUsage(schema: GraphQLSchema, text: string): Usage['stored'] {
  const usage: Usage['stored'] = new Map();
  if (text.trim() === '') return usage;
  for (const [name, document] of Object.entries(separateOperations(parse(text)))) {
    const coordinates = new Set<string>();
    const addType = (type: unknown) => {
      if (isEnumType(type)) coordinates.add(type.name);
      if (!isInputObjectType(type) || coordinates.has(type.name)) return;
      coordinates.add(type.name);
      for (const field of Object.values(type.getFields())) {
        coordinates.add(`${type.name}.${field.name}`);
        addType(getNamedType(field.type));
      }
    };
    const info = new TypeInfo(schema);
    visit(
      document,
      visitWithTypeInfo(info, {
        Field(node) {
          coordinates.add(`${info.getParentType()?.name}.${node.name.value}`);
          addType(getNamedType(info.getType()));
        },
        Argument(node) {
          coordinates.add(`${info.getParentType()?.name}.${info.getFieldDef()?.name}.${node.name.value}`);
        },
        VariableDefinition(node) {
          const type = typeFromAST(schema, node.type as never);
          if (type) addType(getNamedType(type));
        },
      }),
    );
    usage.set(name, coordinates);
  }
  return usage;
}

/** Stored operations of the old contract that are not valid in the new schema, with the first validation error. */
export function invalidOperations(oldContract: Contract, newContract: Contract): Map<string, string> {
  const schema = parseSchema(newContract);
  const { operations } = oldContract;
  const documents = operations.trim() === '' ? {} : separateOperations(parse(operations));
  return new Map(
    Object.entries(documents).flatMap(([name, document]) => {
      const [error] = validate(schema, document);
      return error ? [[name, error.message] as const] : [];
    }),
  );
}
