/** Fields that a GraphQL operation selects and that the REST response of a route does not have. */
import { type FieldNode, getNamedType, isAbstractType, isObjectType } from 'graphql';
import { schema } from '../../graphql/schema/schema.ts';
import type { OperationSelection, ParsedRoute } from '../route-with-parsed-operation.ts';
import { listFieldOrigins } from './field-origins.ts';

/** Paths in the data of the operation, for one of its root fields. */
export function listFieldsMissingInRestResponse(
  candidate: ParsedRoute,
  node: FieldNode,
  selection: OperationSelection,
): string[] {
  const available = new Set(listFieldOrigins(candidate).map(({ graphql }) => graphql.replaceAll('[]', '')));
  if ('list' in candidate.route.response)
    available.add(`${candidate.route.response.list}.pageInfo.hasNextPage`);
  const rootField = candidate.root.getFields()[node.name.value];
  const root = rootField && getNamedType(rootField.type);
  const missing: string[] = [];
  const addMissing = (type: unknown, sets: NonNullable<FieldNode['selectionSet']>[], path: string): void => {
    const types = isObjectType(type) ? [type] : isAbstractType(type) ? schema.getPossibleTypes(type) : [];
    for (const { field, selections } of types.flatMap((member) => selection.fieldsOf(member, sets))) {
      const below = `${path}.${field.name}`;
      if (selections.length > 0) addMissing(getNamedType(field.type), [...selections], below);
      else if (!available.has(below) && !missing.includes(below)) missing.push(below);
    }
  };
  if (node.selectionSet) addMissing(root, [node.selectionSet], node.name.value);
  return missing;
}
