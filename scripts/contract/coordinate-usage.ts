/** Which GraphQL coordinates a REST operation or a stored operation depends on. */
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

/** Both contracts of a comparison are asked about several times, and building a schema takes a tenth of a second. */
const built = new Map<string, GraphQLSchema>();

export function schemaOf({ schema: text }: Contract): GraphQLSchema {
  const schema = built.get(text) ?? buildSchema(text);
  built.delete(text);
  built.set(text, schema);
  for (const [oldest] of built) if (built.size > 2) built.delete(oldest);
  return schema;
}

export function usageOf(contract: Contract): Usage {
  return {
    rest: restUsage(contract.openapi),
    stored: storedUsage(schemaOf(contract), contract.operations),
  };
}

/** The names of the stored operations. */
export const storedIn = ({ operations }: Contract): string[] =>
  operations.trim() === '' ? [] : Object.keys(separateOperations(parse(operations)));

/** The REST addresses and stored operations that use a coordinate, or any part of a type. */
export function usersOf({ rest, stored }: Usage, coordinate: string): { rest: string[]; stored: string[] } {
  const uses = (used: Set<string>) =>
    used.has(coordinate) ||
    (!coordinate.includes('.') && [...used].some((other) => other.startsWith(`${coordinate}.`)));
  const among = (map: Map<string, Set<string>>) =>
    [...map].filter(([, used]) => uses(used)).map(([name]) => name);
  return { rest: among(rest), stored: among(stored) };
}

function restUsage(openapi: Json): Usage['rest'] {
  return new Map(
    Object.entries((openapi.paths ?? {}) as Json).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        coordinatesIn(operation as Json, openapi),
      ]),
    ),
  );
}

function coordinatesIn(start: Json, openapi: Json): Set<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if ((key === 'x-graphql-field' || key === 'x-graphql-type') && typeof inner === 'string')
        found.add(inner);
      else if (key === '$ref' && typeof inner === 'string' && !seen.has(inner)) {
        seen.add(inner);
        walk(resolve(openapi, inner));
      } else walk(inner);
    }
  };
  walk(start);
  return found;
}

export const resolve = (openapi: Json, ref: string): Json =>
  ref
    .split('/')
    .slice(1)
    .reduce<Json>((at, part) => (at?.[part] ?? {}) as Json, openapi);

function storedUsage(schema: GraphQLSchema, text: string): Usage['stored'] {
  const usage: Usage['stored'] = new Map();
  if (text.trim() === '') return usage;
  for (const [name, document] of Object.entries(separateOperations(parse(text)))) {
    const used = new Set<string>();
    const addType = (type: unknown) => {
      if (isEnumType(type)) used.add(type.name);
      if (!isInputObjectType(type) || used.has(type.name)) return;
      used.add(type.name);
      for (const field of Object.values(type.getFields())) {
        used.add(`${type.name}.${field.name}`);
        addType(getNamedType(field.type));
      }
    };
    const info = new TypeInfo(schema);
    visit(
      document,
      visitWithTypeInfo(info, {
        Field(node) {
          used.add(`${info.getParentType()?.name}.${node.name.value}`);
          addType(getNamedType(info.getType()));
        },
        Argument(node) {
          used.add(`${info.getParentType()?.name}.${info.getFieldDef()?.name}.${node.name.value}`);
        },
        VariableDefinition(node) {
          const type = typeFromAST(schema, node.type as never);
          if (type) addType(getNamedType(type));
        },
      }),
    );
    usage.set(name, used);
  }
  return usage;
}

/** Stored operations of the old contract that the new schema refuses, with the first reason. */
export function refusedOperations(old: Contract, fresh: Contract): Map<string, string> {
  const schema = schemaOf(fresh);
  const texts = old.operations.trim() === '' ? {} : separateOperations(parse(old.operations));
  return new Map(
    Object.entries(texts).flatMap(([name, document]) => {
      const [error] = validate(schema, document);
      return error ? [[name, error.message] as const] : [];
    }),
  );
}
