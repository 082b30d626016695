/** Parts of the GraphQL schema that are deprecated in one version of the contract and not in an earlier one, with reason and date. */
import {
  buildSchema,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import type { Contract } from './breaking-changes.ts';

type Reasons = ReadonlyMap<string, string>;

/** One line per coordinate; the reason ends with the date, see src/graphql/schema/deprecations.ts. */
export function listNewDeprecations(oldContract: Contract, newContract: Contract): string[] {
  if (oldContract.schema === newContract.schema) return [];
  const before = deprecationsIn(buildSchema(oldContract.schema));
  return [...deprecationsIn(buildSchema(newContract.schema))]
    .filter(([coordinate]) => !before.has(coordinate))
    .map(([coordinate, reason]) => `DEPRECATED  ${coordinate}: ${reason}`)
    .sort();
}

function deprecationsIn(schema: GraphQLSchema): Reasons {
  const reasons = new Map<string, string>();
  const add = (
    coordinate: string,
    { deprecationReason }: { deprecationReason?: string | null | undefined },
  ) => {
    if (deprecationReason != null) reasons.set(coordinate, deprecationReason);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (isEnumType(type)) for (const value of type.getValues()) add(`${type.name}.${value.name}`, value);
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) add(`${type.name}.${field.name}`, field);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      add(`${type.name}.${field.name}`, field);
      for (const arg of field.args) add(`${type.name}.${field.name}.${arg.name}`, arg);
    }
  }
  return reasons;
}
