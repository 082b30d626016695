/** Route with its parsed operation, and the fields that the operation selects, with their definitions in the schema. */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isAbstractType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import type { RestRoute } from './route.ts';

/** A selected field: its definition, and the selection sets below it. */
export interface SelectedField {
  /** Name in the response: the alias, or the field name. */
  key: string;
  owner: GraphQLObjectType;
  field: GraphQLField<unknown, unknown>;
  selections: readonly SelectionSetNode[];
}

export const schemaCoordinateOf = ({ owner, field }: SelectedField) => `${owner.name}.${field.name}`;

/** A route with its parsed operation. */
export interface ParsedRoute {
  route: RestRoute;
  operation: OperationDefinitionNode;
  root: GraphQLObjectType;
  selection: OperationSelection;
}

export function parseRoute(schema: GraphQLSchema, route: RestRoute): ParsedRoute {
  const document = parse(route.operation.source);
  const operation = getOperationAST(document, route.operation.name);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) throw new Error(`${route.method} ${route.path} has no operation.`);
  const fragments = document.definitions.filter(
    (definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION,
  );
  const byName = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  return { route, operation, root, selection: new OperationSelection(schema, byName) };
}

/** Selected field at a path such as `updateProduct.product`. */
export function findSelectionAtPath(
  { route, operation, root, selection }: ParsedRoute,
  path: string,
): SelectedField {
  let owner = root;
  let sets: readonly SelectionSetNode[] = [operation.selectionSet];
  let current: SelectedField | undefined;
  for (const key of path.split('.')) {
    current = selection.fieldsOf(owner, sets).find((selected) => selected.key === key);
    if (!current)
      throw new Error(`${route.method} ${route.path}: ${route.operation.name} does not select ${path}.`);
    const below = getNamedType(current.field.type);
    if (isObjectType(below)) owner = below;
    sets = current.selections;
  }
  if (!current) throw new Error(`${route.method} ${route.path} has no response path.`);
  return current;
}

export class OperationSelection {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(schema: GraphQLSchema, fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.#schema = schema;
    this.#fragments = fragments;
  }

  /** Selected fields of an object type, including those of fragments. */
  fieldsOf(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): SelectedField[] {
    const byKey = new Map<string, SelectedField>();
    const add = (node: FieldNode) => {
      const field = type.getFields()[node.name.value];
      if (!field) return;
      const key = node.alias?.value ?? node.name.value;
      const existing = byKey.get(key);
      const below = node.selectionSet ? [node.selectionSet] : [];
      byKey.set(key, { key, owner: type, field, selections: [...(existing?.selections ?? []), ...below] });
    };
    const collect = (set: SelectionSetNode) => {
      for (const selection of set.selections) {
        if (selection.kind === Kind.FIELD) add(selection);
        else {
          const fragment =
            selection.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(selection.name.value) : selection;
          if (fragment && this.#applies(fragment.typeCondition?.name.value, type))
            collect(fragment.selectionSet);
        }
      }
    };
    sets.forEach(collect);
    return [...byKey.values()];
  }

  #applies(condition: string | undefined, type: GraphQLObjectType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const named = this.#schema.getType(condition);
    return isAbstractType(named) && this.#schema.isSubType(named, type);
  }

  /** Object types below a type, each with the signature of its selection. */
  typesBelow(
    type: GraphQLObjectType,
    sets: readonly SelectionSetNode[],
  ): { type: GraphQLObjectType; signature: string }[] {
    return this.fieldsOf(type, sets).flatMap(({ field, selections: below }) => {
      const named = getNamedType(field.type);
      const members = isObjectType(named)
        ? [named]
        : isAbstractType(named)
          ? this.#schema.getPossibleTypes(named)
          : [];
      return members.flatMap((member) => [
        { type: member, signature: this.signatureOf(member, below) },
        ...this.typesBelow(member, below),
      ]);
    });
  }

  /** Text that is equal for selections of the same fields. */
  signatureOf(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): string {
    const part = ({ key, field, selections: below }: SelectedField): string => {
      const named = getNamedType(field.type);
      return isObjectType(named) ? `${key}{${this.signatureOf(named, below)}}` : key;
    };
    return this.fieldsOf(type, sets).map(part).sort().join(',');
  }
}
