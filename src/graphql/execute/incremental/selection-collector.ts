/** Fields and deferred fragments that an operation selects on an object of its response. */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getVariableValues,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Variables } from '../coerce-variables.ts';
import type { ParsedOperation } from '../operation-compiler-types.ts';
import { deferDirective, streamDirective } from './defer-and-stream-directives.ts';

/** A selection set with the type that its fields belong to; undefined if the type is unknown. */
export interface TypedSelection {
  type: GraphQLNamedType | undefined;
  set: SelectionSetNode;
}

interface CollectedSelections {
  fields: Map<string, { node: FieldNode; type: GraphQLNamedType | undefined }[]>;
  /** Deferred fragments. `isCertain`: the type of the object fulfils their type conditions. */
  deferred: { label: string | undefined; selection: TypedSelection; isCertain: boolean }[];
}

/** Whether an object fulfils a type condition; undefined if its type is unknown. */
type Condition = boolean | undefined;

export class SelectionCollector {
  /** Selection of the operation. */
  readonly root: TypedSelection;
  readonly #schema: GraphQLSchema;
  readonly #variables: Variables;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor({ schema, document, node }: ParsedOperation, variables: Variables) {
    this.root = { type: schema.getRootType(node.operation) ?? undefined, set: node.selectionSet };
    this.#schema = schema;
    this.#variables =
      getVariableValues(schema, node.variableDefinitions ?? [], variables).coerced ?? variables;
    this.#fragments = new Map(
      document.definitions.flatMap((definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
      ),
    );
  }

  /** Arguments of @stream; undefined for a field without it. */
  streamOf(node: FieldNode): Readonly<Record<string, unknown>> | undefined {
    return getDirectiveValues(streamDirective, node, this.#variables);
  }

  /** Fields and deferred fragments of an object, with those of its fragments. */
  collect(selections: readonly TypedSelection[], object: Record<string, unknown>): CollectedSelections {
    const collected: CollectedSelections = { fields: new Map(), deferred: [] };
    for (const { type, set } of selections) {
      const name = object.__typename;
      const objectType = isAbstractType(type) && typeof name === 'string' ? this.#schema.getType(name) : type;
      this.#collectFrom(set, objectType, true, collected);
    }
    return collected;
  }

  #collectFrom(
    { selections }: SelectionSetNode,
    type: GraphQLNamedType | undefined,
    isCertain: boolean,
    collected: CollectedSelections,
  ): void {
    for (const node of selections) {
      if (!this.#isIncluded(node)) continue;
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        collected.fields.set(key, [...(collected.fields.get(key) ?? []), { node, type }]);
        continue;
      }
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : this.#fragments.get(node.name.value);
      if (!fragment) continue;
      const condition = this.#fulfils(type, fragment.typeCondition?.name.value);
      if (condition === false) continue;
      const isFragmentCertain = isCertain && condition === true;
      const fragmentType =
        isObjectType(type) || !fragment.typeCondition
          ? type
          : this.#schema.getType(fragment.typeCondition.name.value);
      const defer = getDirectiveValues(deferDirective, node, this.#variables);
      if (defer?.if === true)
        collected.deferred.push({
          label: defer.label as string | undefined,
          selection: { type: fragmentType, set: fragment.selectionSet },
          isCertain: isFragmentCertain,
        });
      else this.#collectFrom(fragment.selectionSet, fragmentType, isFragmentCertain, collected);
    }
  }

  #isIncluded(node: SelectionNode): boolean {
    return (
      getDirectiveValues(GraphQLSkipDirective, node, this.#variables)?.if !== true &&
      getDirectiveValues(GraphQLIncludeDirective, node, this.#variables)?.if !== false
    );
  }

  #fulfils(type: GraphQLNamedType | undefined, condition: string | undefined): Condition {
    if (condition === undefined || condition === type?.name) return true;
    const schema = this.#schema;
    const named = schema.getType(condition);
    if (isObjectType(type)) return isAbstractType(named) && schema.isSubType(named, type);
    return isAbstractType(named) && isInterfaceType(type) && schema.isSubType(named, type) ? true : undefined;
  }
}
