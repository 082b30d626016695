/** Binds the path parameters, query parameters and body fields of a route to the variables of its operation. */
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

/** Variable, argument or input field of an operation that a request value is assigned to. */
export interface InputBinding {
  type: GraphQLInputType;
  description: string | undefined;
  /** GraphQL coordinate, such as `CreateProductInput.name`. */
  coordinate: string;
  /** Whether a request without a value is rejected. */
  required: boolean;
}

export interface RouteBindings {
  path: ReadonlyMap<string, InputBinding | undefined>;
  query: ReadonlyMap<string, InputBinding | undefined>;
  /** Empty if the route reads no body; undefined for fields that are accepted and ignored. */
  body: ReadonlyMap<string, InputBinding | undefined>;
  readsVersion: boolean;
}

export function bindRouteInputs(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  route: RestRoute,
  requiredInputs: RequiredInputs,
): RouteBindings {
  const variables = bindVariables(schema, operation, requiredInputs);
  const requireBinding = (name: string) => {
    const [variable = '', field] = name.split('.');
    const binding =
      field === undefined
        ? variables.get(variable)
        : bindFields(variables.get(variable), requiredInputs).get(field);
    if (!binding) throw new Error(`${route.method} ${route.path}: ${route.operation.name} has no $${name}.`);
    return binding;
  };
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const inputFields = bindFields(variables.get('input'), requiredInputs);
  return {
    path: new Map(names.map((name) => [name, requireBinding(name)])),
    query: new Map(Object.entries(route.query).map(([name, variable]) => [name, requireBinding(variable)])),
    body: new Map([
      ...inputFields,
      ...Object.entries(route.inputAliases).map(([name, field]) => [name, inputFields.get(field)] as const),
      ...route.ignoredFields.map((name) => [name, undefined] as const),
      ...route.bodyFields.map((name) => [name, requireBinding(name)] as const),
    ]),
    readsVersion: variables.has('version'),
  };
}

/** Main name of a value that has several: the one that equals the GraphQL field name, otherwise the first body field, otherwise the first parameter. */
export function canonicalName({ query, body }: RouteBindings, binding: InputBinding): string | undefined {
  const names = [...body, ...query]
    .filter(([, other]) => other?.coordinate === binding.coordinate)
    .map(([name]) => name);
  return names.find((name) => binding.coordinate.endsWith(`.${name}`)) ?? names[0];
}

function bindFields(
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
        coordinate: `${type.name}.${field.name}`,
        required:
          (isNonNullType(field.type) && field.defaultValue === undefined) ||
          requiredInputs.isRequired(`${type.name}.${field.name}`),
      },
    ]),
  );
}

/** Variables of an operation, with description and coordinate of the arguments that they are passed to. */
function bindVariables(
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
      coordinate: `$${variable.name.value}`,
      required: isNonNullType(type) && defaultValue === undefined,
    });
  }
  const info = new TypeInfo(schema);
  const describe = (name: string, owner: string, target: { name: string; description?: unknown }) => {
    const binding = bindings.get(name);
    if (!binding) return;
    binding.coordinate = `${owner}.${target.name}`;
    binding.required ||= requiredInputs.isRequired(binding.coordinate);
    binding.description = typeof target.description === 'string' ? target.description : undefined;
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
