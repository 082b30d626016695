/** Where a row puts each part of a request: among the variables of its operation. */
import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { RestRoute } from '../../src/rest/route.ts';
import type { Needs } from './required-inputs.ts';

/** A place for a value among the variables of an operation. */
export interface Place {
  type: GraphQLInputType;
  description: string | undefined;
  /** The GraphQL name of the place, such as `CreateProductInput.name`. */
  field: string;
  /** Whether an answer other than a refusal needs a value here. */
  required: boolean;
}

export interface Places {
  path: ReadonlyMap<string, Place | undefined>;
  query: ReadonlyMap<string, Place | undefined>;
  /** Empty when the row reads no body; undefined is the place of what nobody reads. */
  body: ReadonlyMap<string, Place | undefined>;
  readsVersion: boolean;
}

export function placesOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  row: RestRoute,
  needs: Needs,
): Places {
  const variables = variablePlaces(schema, operation, needs);
  const at = (name: string) => {
    const [whole = '', field] = name.split('.');
    const place =
      field === undefined ? variables.get(whole) : fieldPlaces(variables.get(whole), needs).get(field);
    if (!place) throw new Error(`${row.method} ${row.path}: ${row.operation.name} has no $${name}.`);
    return place;
  };
  const names = [...row.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const inputFields = fieldPlaces(variables.get('input'), needs);
  return {
    path: new Map(names.map((name) => [name, at(name)])),
    query: new Map(Object.entries(row.query).map(([name, variable]) => [name, at(variable)])),
    body: new Map([
      ...inputFields,
      ...Object.entries(row.inputAliases).map(([name, field]) => [name, inputFields.get(field)] as const),
      ...row.ignoredFields.map((name) => [name, undefined] as const),
      ...row.bodyFields.map((name) => [name, at(name)] as const),
    ]),
    readsVersion: variables.has('version'),
  };
}

/** The part of the request that fills a place by its proper name: a field of the body if there is one, else a parameter. */
export function properName({ query, body }: Places, place: Place): string | undefined {
  const rivals = [...body, ...query]
    .filter(([, other]) => other?.field === place.field)
    .map(([name]) => name);
  return rivals.find((name) => place.field.endsWith(`.${name}`)) ?? rivals[0];
}

function fieldPlaces(input: Place | undefined, needs: Needs): Map<string, Place> {
  const type = input && getNullableType(input.type);
  if (!isInputObjectType(type)) return new Map();
  return new Map(
    Object.values(type.getFields()).map((field) => [
      field.name,
      {
        type: field.type,
        description: field.description ?? undefined,
        field: `${type.name}.${field.name}`,
        required:
          (isNonNullType(field.type) && field.defaultValue === undefined) ||
          needs.isRefused(`${type.name}.${field.name}`),
      },
    ]),
  );
}

/** The variables of an operation with what the arguments they stand for say about themselves. */
function variablePlaces(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  needs: Needs,
): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const { variable, type: node, defaultValue } of operation.variableDefinitions ?? []) {
    const type = typeFromAST(schema, node) as GraphQLInputType;
    places.set(variable.name.value, {
      type,
      description: undefined,
      field: `$${variable.name.value}`,
      required: isNonNullType(type) && defaultValue === undefined,
    });
  }
  const info = new TypeInfo(schema);
  const describe = (name: string, owner: string, described: { name: string; description?: unknown }) => {
    const place = places.get(name);
    if (!place) return;
    place.field = `${owner}.${described.name}`;
    place.required ||= needs.isRefused(place.field);
    place.description = typeof described.description === 'string' ? described.description : undefined;
  };
  visit(
    operation,
    visitWithTypeInfo(info, {
      Argument({ value }) {
        const argument = info.getArgument();
        if (value.kind === Kind.VARIABLE && argument)
          describe(value.name.value, `${info.getParentType()?.name}.${info.getFieldDef()?.name}`, argument);
      },
      ObjectField({ name, value }) {
        const parent = info.getParentInputType();
        const field = isInputObjectType(parent) ? parent.getFields()[name.value] : undefined;
        if (value.kind === Kind.VARIABLE && field) describe(value.name.value, String(parent), field);
      },
    }),
  );
  return places;
}
