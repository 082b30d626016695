/** What an operation uses of the schema, and the businesses it names: found once for each document. */
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

/** There are only as many coordinates as the schema has; documents share their texts. */
const coordinates = new Map<string, string>();

function shared(text: string): string {
  const known = coordinates.get(text);
  if (known === undefined) coordinates.set(text, text);
  return known ?? text;
}

/** For documents that are valid. */
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
          fields.add(shared(`${owner}.${value}`));
      },
      Argument({ name: { value } }) {
        const [owner, field] = [info.getParentType()?.name, info.getFieldDef()?.name];
        if (owner !== undefined && field !== undefined && !owner.startsWith('__') && !field.startsWith('__'))
          fields.add(shared(`${owner}.${field}.${value}`));
      },
      ObjectField({ name: { value } }) {
        const input = info.getParentInputType();
        if (input && 'name' in input) fields.add(shared(`${input.name}.${value}`));
      },
    }),
  );
  return { kind: 'OPERATION', name: name.slice(0, maxName) || 'anonymous', fields: [...fields] };
}

const maxName = 100;

/** The businesses that root fields name, as far as one can see without running them. */
export function collectBusinessIds(
  node: OperationDefinitionNode,
  variables: Variables,
): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  for (const selection of node.selectionSet.selections) {
    if (selection.kind !== Kind.FIELD) continue;
    const isBusiness = /business$/i.test(selection.name.value);
    for (const { name, value } of selection.arguments ?? []) {
      const given = sentAs(value, variables);
      if (name.value === 'businessId' || (isBusiness && name.value === 'id')) found.add(given);
      if (name.value === 'input' && isPlainObject(given) && 'businessId' in given)
        found.add(given.businessId);
    }
  }
  return found;
}

const sentAs = (value: ValueNode, variables: Variables): unknown =>
  value.kind === Kind.VARIABLE ? variables[value.name.value] : 'value' in value ? value.value : undefined;
