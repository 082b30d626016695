/** What introspection costs: how many items its lists have in our schema, and what each value of them counts. */
import {
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

export interface IntrospectionCost {
  /** Of one value. They take longer than others. */
  perValue: number;
  /** The multiplier of a field of `__Schema`, `__Type` and so on, given the path of the fields around it. */
  multiplier(type: string, field: string, around: string): number;
}

/** The whole schema, as tools ask for it, stays within the limit however large it grows. */
const mostItems = 4000;

/** Types mostly are wrapped once or not at all, however deep a query looks. */
const wrapped = 0.5;

/** Counted once for each schema: every new document is weighed with it, and a schema does not change. */
const counted = new WeakMap<GraphQLSchema, IntrospectionCost>();

export function introspectionCost(schema: GraphQLSchema): IntrospectionCost {
  const known = counted.get(schema) ?? countItems(schema);
  counted.set(schema, known);
  return known;
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
    const holders = name === 'args' ? fields.flat().length : types.length;
    average.set(name, list.reduce((sum, size) => sum + size, 0) / holders);
    largest.set(name, Math.max(1, ...list));
  }
  const items = Object.values(sizes)
    .flat()
    .reduce((sum, size) => sum + size, 0);
  const own = Math.min(2, mostItems / items);
  const times: IntrospectionCost['multiplier'] = (type, field, around) => {
    if (type === '__Schema') return field === 'types' ? types.length : field === 'directives' ? 6 : 1;
    if (field === 'ofType') return wrapped;
    // All types together have so many fields and so on; a single one that somebody picks may have the most.
    const ofAll = around.endsWith('/types') || (field === 'args' && around.endsWith('/types/fields'));
    return (ofAll ? average : largest).get(field) ?? 1;
  };
  return { perValue: own, multiplier: times };
}
