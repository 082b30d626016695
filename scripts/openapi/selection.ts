/** What a stored operation selects, with what the schema says about it. */
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
import type { RestRoute } from '../../src/rest/route.ts';

/** A selected field: what the schema says about it, and what is selected below it. */
export interface SelectedField {
  key: string;
  owner: GraphQLObjectType;
  field: GraphQLField<unknown, unknown>;
  selections: readonly SelectionSetNode[];
}

export const coordinateOf = ({ owner, field }: SelectedField) => `${owner.name}.${field.name}`;

/** A route with its operation read. */
export interface ParsedRoute {
  route: RestRoute;
  operation: OperationDefinitionNode;
  root: GraphQLObjectType;
  selection: Selection;
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
  return { route, operation, root, selection: new Selection(schema, byName) };
}

/** The selected field that `updateProduct.product` leads to. */
export function selectedAt({ route, operation, root, selection }: ParsedRoute, at: string): SelectedField {
  let owner = root;
  let sets: readonly SelectionSetNode[] = [operation.selectionSet];
  let found: SelectedField | undefined;
  for (const key of at.split('.')) {
    found = selection.fieldsOf(owner, sets).find((selected) => selected.key === key);
    if (!found)
      throw new Error(`${route.method} ${route.path}: ${route.operation.name} does not select ${at}.`);
    const below = getNamedType(found.field.type);
    if (isObjectType(below)) owner = below;
    sets = found.selections;
  }
  if (!found) throw new Error(`${route.method} ${route.path} names no answer.`);
  return found;
}

export class Selection {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(schema: GraphQLSchema, fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.#schema = schema;
    this.#fragments = fragments;
  }

  /** The fields selected of an object type, fragments included. */
  fieldsOf(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): SelectedField[] {
    const found = new Map<string, SelectedField>();
    const add = (node: FieldNode) => {
      const field = type.getFields()[node.name.value];
      if (!field) return;
      const key = node.alias?.value ?? node.name.value;
      const known = found.get(key);
      const below = node.selectionSet ? [node.selectionSet] : [];
      found.set(key, { key, owner: type, field, selections: [...(known?.selections ?? []), ...below] });
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
    return [...found.values()];
  }

  #applies(condition: string | undefined, type: GraphQLObjectType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const named = this.#schema.getType(condition);
    return isAbstractType(named) && this.#schema.isSubType(named, type);
  }

  /** Every object type an operation selects, with what it selects of it. */
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

  /** What is selected of a type, as a text that is equal for equal selections. */
  signatureOf(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): string {
    const part = ({ key, field, selections: below }: SelectedField): string => {
      const named = getNamedType(field.type);
      return isObjectType(named) ? `${key}{${this.signatureOf(named, below)}}` : key;
    };
    return this.fieldsOf(type, sets).map(part).sort().join(',');
  }
}
