/** Cost of introspection fields: list sizes of this schema and the cost per value. */
import {
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

interface IntrospectionCost {
  /** Cost of one value; up to 2, because introspection values take longer than others. */
  perValue: number;
  /** Multiplier of a field of `__Schema`, `__Type` and so on; `parentPath` is the path of the enclosing fields. */
  multiplier(type: string, field: string, parentPath: string): number;
}

/** Caps the cost of the full introspection query of tools, so that it stays within the limit as the schema grows. */
const maxItemCost = 4000;

/** Average number of `ofType` wrappers per level: most types are wrapped once or not at all. */
const ofTypeMultiplier = 0.5;

/** Computed once per schema. */
const costs = new WeakMap<GraphQLSchema, IntrospectionCost>();

export function computeIntrospectionCost(schema: GraphQLSchema): IntrospectionCost {
  const cost = costs.get(schema) ?? countItems(schema);
  costs.set(schema, cost);
  return cost;
}

function countItems(schema: GraphQLSchema): IntrospectionCost {
  const types = Object.values(schema.getTypeMap());
  const outputs = types.filter((type) => isObjectType(type) || isInterfaceType(type));
  const fields = outputs.map((type) => Object.values(type.getFields()));
  const sizes: Record<string, readonly number[]> = {
    fields: fields.map((list) => list.length),
    args: fields.flat().map((field) => field.args.length),
    inputFields: types.filter(isInputObjectType).map((type) => Object.keys(type.getFields()).length),
    enumValues: types.filter(isEnumType).map((type) => type.getValues().length),
    interfaces: outputs.map((type) => type.getInterfaces().length),
    possibleTypes: types.filter(isAbstractType).map((type) => schema.getPossibleTypes(type).length),
  };
  const average = new Map<string, number>();
  const largest = new Map<string, number>();
  for (const [name, list] of Object.entries(sizes)) {
    const ownerCount = name === 'args' ? fields.flat().length : types.length;
    average.set(name, list.reduce((sum, size) => sum + size, 0) / ownerCount);
    largest.set(name, Math.max(1, ...list));
  }
  const items = Object.values(sizes)
    .flat()
    .reduce((sum, size) => sum + size, 0);
  const perValue = Math.min(2, maxItemCost / items);
  const multiplier: IntrospectionCost['multiplier'] = (type, field, parentPath) => {
    if (type === '__Schema') return field === 'types' ? types.length : field === 'directives' ? 6 : 1;
    if (field === 'ofType') return ofTypeMultiplier;
    // Lists of all types have the average size per type; a single type selected by name may have the largest.
    const isOfAllTypes =
      parentPath.endsWith('/types') || (field === 'args' && parentPath.endsWith('/types/fields'));
    return (isOfAllTypes ? average : largest).get(field) ?? 1;
  };
  return { perValue, multiplier };
}
