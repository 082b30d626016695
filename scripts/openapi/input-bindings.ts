/** Where a route puts each part of a request: among the variables of its operation. */
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
import type { RequiredInputs } from './required-inputs.ts';

/** A binding for a value among the variables of an operation. */
export interface InputBinding {
  type: GraphQLInputType;
  description: string | undefined;
  /** The GraphQL name of the binding, such as `CreateProductInput.name`. */
  field: string;
  /** Whether an answer other than a refusal requiredInputs a value here. */
  required: boolean;
}

export interface RouteBindings {
  path: ReadonlyMap<string, InputBinding | undefined>;
  query: ReadonlyMap<string, InputBinding | undefined>;
  /** Empty when the route reads no body; undefined is the binding of what nobody reads. */
  body: ReadonlyMap<string, InputBinding | undefined>;
  readsVersion: boolean;
}

export function bindRouteInputs(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  route: RestRoute,
  requiredInputs: RequiredInputs,
): RouteBindings {
  const variables = variablePlaces(schema, operation, requiredInputs);
  const at = (name: string) => {
    const [whole = '', field] = name.split('.');
    const binding =
      field === undefined
        ? variables.get(whole)
        : fieldPlaces(variables.get(whole), requiredInputs).get(field);
    if (!binding) throw new Error(`${route.method} ${route.path}: ${route.operation.name} has no $${name}.`);
    return binding;
  };
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const inputFields = fieldPlaces(variables.get('input'), requiredInputs);
  return {
    path: new Map(names.map((name) => [name, at(name)])),
    query: new Map(Object.entries(route.query).map(([name, variable]) => [name, at(variable)])),
    body: new Map([
      ...inputFields,
      ...Object.entries(route.inputAliases).map(([name, field]) => [name, inputFields.get(field)] as const),
      ...route.ignoredFields.map((name) => [name, undefined] as const),
      ...route.bodyFields.map((name) => [name, at(name)] as const),
    ]),
    readsVersion: variables.has('version'),
  };
}

/** The part of the request that fills a binding by its proper name: a field of the body if there is one, else a parameter. */
export function canonicalName({ query, body }: RouteBindings, binding: InputBinding): string | undefined {
  const rivals = [...body, ...query]
    .filter(([, other]) => other?.coordinate === binding.coordinate)
    .map(([name]) => name);
  return rivals.find((name) => binding.coordinate.endsWith(`.${name}`)) ?? rivals[0];
}

function fieldPlaces(
  input: InputBinding | undefined,
  requiredInputs: RequiredInputs,
): Map<string, InputBinding> {
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
          requiredInputs.isRequired(`${type.name}.${field.name}`),
      },
    ]),
  );
}

/** The variables of an operation with what the arguments they stand for say about themselves. */
function variablePlaces(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  requiredInputs: RequiredInputs,
): Map<string, InputBinding> {
  const bindings = new Map<string, InputBinding>();
  for (const { variable, type: node, defaultValue } of operation.variableDefinitions ?? []) {
    const type = typeFromAST(schema, node) as GraphQLInputType;
    bindings.set(variable.name.value, {
      type,
      description: undefined,
      field: `$${variable.name.value}`,
      required: isNonNullType(type) && defaultValue === undefined,
    });
  }
  const info = new TypeInfo(schema);
  const describe = (name: string, owner: string, described: { name: string; description?: unknown }) => {
    const binding = bindings.get(name);
    if (!binding) return;
    binding.coordinate = `${owner}.${described.name}`;
    binding.required ||= requiredInputs.isRequired(binding.coordinate);
    binding.description = typeof described.description === 'string' ? described.description : undefined;
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
  return bindings;
}
