/** Collects the schema coordinates that an operation uses, and the business ids in its arguments. */
import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  separateOperations,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import type { UsageSubject } from '../../ports/usage.ts';
import type { Variables } from './coerce-variables.ts';

/** Interned coordinate strings, intern by all documents; bounded by the size of the schema. */
const coordinates = new Map<string, string>();

function intern(coordinate: string): string {
  const interned = coordinates.get(coordinate);
  if (interned === undefined) coordinates.set(coordinate, coordinate);
  return interned ?? coordinate;
}

/** Only for valid documents. */
export function collectSchemaUsage(
  schema: GraphQLSchema,
  document: DocumentNode,
  node: OperationDefinitionNode,
): UsageSubject {
  const name = node.name?.value ?? '';
  const fields = new Set<string>();
  const info = new TypeInfo(schema);
  visit(
    separateOperations(document)[name] ?? document,
    visitWithTypeInfo(info, {
      Field({ name: { value } }) {
        const owner = info.getParentType()?.name;
        if (owner !== undefined && !value.startsWith('__') && !owner.startsWith('__'))
          fields.add(intern(`${owner}.${value}`));
      },
      Argument({ name: { value } }) {
        const [owner, field] = [info.getParentType()?.name, info.getFieldDef()?.name];
        if (owner !== undefined && field !== undefined && !owner.startsWith('__') && !field.startsWith('__'))
          fields.add(intern(`${owner}.${field}.${value}`));
      },
      ObjectField({ name: { value } }) {
        const input = info.getParentInputType();
        if (input && 'name' in input) fields.add(intern(`${input.name}.${value}`));
      },
    }),
  );
  return { kind: 'OPERATION', name: name.slice(0, maxName) || 'anonymous', fields: [...fields] };
}

const maxName = 100;

/** Values of `businessId` arguments, `id` arguments of business fields, and `input.businessId`, read without running the fields. */
export function collectBusinessIds(
  node: OperationDefinitionNode,
  variables: Variables,
): ReadonlySet<unknown> {
  const businessIds = new Set<unknown>();
  for (const selection of node.selectionSet.selections) {
    if (selection.kind !== Kind.FIELD) continue;
    const isBusiness = /business$/i.test(selection.name.value);
    for (const { name, value } of selection.arguments ?? []) {
      const argument = argumentValue(value, variables);
      if (name.value === 'businessId' || (isBusiness && name.value === 'id')) businessIds.add(argument);
      if (name.value === 'input' && isPlainObject(argument) && 'businessId' in argument)
        businessIds.add(argument.businessId);
    }
  }
  return businessIds;
}

const argumentValue = (value: ValueNode, variables: Variables): unknown =>
  value.kind === Kind.VARIABLE ? variables[value.name.value] : 'value' in value ? value.value : undefined;
