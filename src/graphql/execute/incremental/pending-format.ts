/**
 * Results in parts in the current format of the proposal (graphql-js 17): `pending` announces parts, `incremental` has their content, and
 * `completed` ends them. The executor only reports parts that are complete, so this file finds those that will follow: deferred fragments
 * and streamed lists in the data that was sent.
 */
import {
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
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
import type { IncrementalPart, SubsequentResult } from './result-queue.ts';

type Path = readonly (string | number)[];

/** Announcement of a part. */
interface PendingPart {
  id: string;
  path: Path;
  label?: string;
}

type IncrementalContent = { id: string; errors?: readonly GraphQLError[] } & (
  | { data: unknown }
  | { items: readonly unknown[] }
);

export interface PendingFormatResult extends ExecutionResult {
  pending?: readonly PendingPart[];
  incremental?: readonly IncrementalContent[];
  completed?: readonly { id: string; errors?: readonly GraphQLError[] }[];
  hasNext: boolean;
}

interface Contents {
  incremental: IncrementalContent[];
  completed: { id: string; errors?: readonly GraphQLError[] }[];
}

/** A selection set with the type that its fields belong to; undefined if the type is unknown. */
interface TypedSelection {
  type: GraphQLNamedType | undefined;
  set: SelectionSetNode;
}

interface OpenPart {
  id: string;
  path: Path;
  /** Selections of a deferred fragment, or of the items of a list. */
  selections: readonly TypedSelection[];
  /** Index of the next item of a list; undefined for a fragment. */
  nextItem: number | undefined;
}

interface CollectedSelections {
  fields: Map<string, { node: FieldNode; type: GraphQLNamedType | undefined }[]>;
  /** Deferred fragments. `isCertain`: the type of the object fulfils their type conditions. */
  deferred: { label: string | undefined; selection: TypedSelection; isCertain: boolean }[];
}

/** Whether an object fulfils a type condition; undefined if its type is unknown. */
type Condition = boolean | undefined;

export class PendingFormat {
  readonly #operation: ParsedOperation;
  readonly #variables: Variables;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #open = new Map<string, OpenPart[]>();
  /** Deferred fragments on objects of unknown type: announced when they arrive. */
  readonly #possible = new Map<string, TypedSelection[]>();
  /** Parts of values that have not been sent yet. */
  #waiting: IncrementalPart[] = [];
  #announced: PendingPart[] = [];
  #lastId = 0;

  constructor(operation: ParsedOperation, variables: Variables) {
    const { schema, document, node } = operation;
    this.#operation = operation;
    this.#variables =
      getVariableValues(schema, node.variableDefinitions ?? [], variables).coerced ?? variables;
    this.#fragments = new Map(
      document.definitions.flatMap((definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
      ),
    );
  }

  convertFirst(result: ExecutionResult): PendingFormatResult {
    const { schema, node } = this.#operation;
    const type = schema.getRootType(node.operation) ?? undefined;
    this.#announceBelow(result.data, [], [{ type, set: node.selectionSet }]);
    return { ...result, ...this.#takeAnnounced(), hasNext: true };
  }

  convertNext({ incremental = [], errors, hasNext }: SubsequentResult): PendingFormatResult {
    const contents: Contents = { incremental: [], completed: [] };
    // A part may arrive before the list item that contains it, and waits for it.
    let waiting = [...this.#waiting, ...incremental];
    for (let count = Number.POSITIVE_INFINITY; waiting.length < count; ) {
      count = waiting.length;
      waiting = waiting.filter((part) => !this.#convertPart(part, contents));
    }
    this.#waiting = waiting;
    if (!hasNext)
      for (const { id } of [...this.#open.values()].flat())
        contents.completed.push({ id, ...(errors ? { errors } : {}) });
    return {
      ...this.#takeAnnounced(),
      ...(contents.incremental.length > 0 ? { incremental: contents.incremental } : {}),
      ...(contents.completed.length > 0 ? { completed: contents.completed } : {}),
      ...(errors && contents.completed.length === 0 ? { errors } : {}),
      hasNext,
    };
  }

  #takeAnnounced(): { pending?: readonly PendingPart[] } {
    const pending = this.#announced;
    this.#announced = [];
    return pending.length > 0 ? { pending } : {};
  }

  #announce(
    path: Path,
    label: string | undefined,
    part: Pick<OpenPart, 'selections' | 'nextItem'>,
  ): OpenPart {
    this.#lastId += 1;
    const open = { id: String(this.#lastId), path, ...part };
    const key = keyOf(path, label);
    this.#open.set(key, [...(this.#open.get(key) ?? []), open]);
    this.#announced.push({ id: open.id, path, ...(label === undefined ? {} : { label }) });
    return open;
  }

  #close(key: string, part: OpenPart): void {
    this.#open.set(
      key,
      (this.#open.get(key) ?? []).filter((other) => other !== part),
    );
  }

  /** False: the value that contains the part has not been sent yet. */
  #convertPart(part: IncrementalPart, contents: Contents): boolean {
    return 'items' in part ? this.#convertItems(part, contents) : this.#convertFragment(part, contents);
  }

  #convertFragment({ path = [], label, data, errors }: IncrementalPart, contents: Contents): boolean {
    const key = keyOf(path, label);
    const possible = this.#possible.get(key);
    const part =
      this.#findFragment(key, data) ??
      (possible && this.#announce(path, label, { selections: possible, nextItem: undefined }));
    if (!part) return false;
    this.#close(key, part);
    const failure = errors ? { errors } : {};
    if (data === null || data === undefined) contents.completed.push({ id: part.id, ...failure });
    else {
      contents.incremental.push({ id: part.id, data, ...failure });
      contents.completed.push({ id: part.id });
      this.#announceBelow(data, path, part.selections);
    }
    return true;
  }

  /** Fragments without labels at one path are told apart by their fields. */
  #findFragment(key: string, data: unknown): OpenPart | undefined {
    const parts = this.#open.get(key)?.filter(({ nextItem }) => nextItem === undefined) ?? [];
    if (parts.length < 2 || !isRecord(data)) return parts[0];
    const keys = Object.keys(data);
    return (
      parts.find(({ selections }) =>
        keys.every((name) => this.#collect(selections, data).fields.has(name)),
      ) ?? parts[0]
    );
  }

  #convertItems({ path = [], label, items, errors }: IncrementalPart, contents: Contents): boolean {
    const listPath = path.slice(0, -1);
    const index = Number(path.at(-1));
    const key = keyOf(listPath, label);
    const lists = this.#open.get(key)?.filter(({ nextItem }) => nextItem !== undefined) ?? [];
    const list = lists.find(({ nextItem }) => nextItem === index);
    if (!list) return false;
    const failure = errors ? { errors } : {};
    if (items) {
      list.nextItem = index + items.length;
      contents.incremental.push({ id: list.id, items, ...failure });
      for (const [offset, item] of items.entries())
        this.#announceBelow(item, [...listPath, index + offset], list.selections);
    } else {
      this.#close(key, list);
      contents.completed.push({ id: list.id, ...failure });
    }
    return true;
  }

  /** Announces the parts that follow for a value, and for the values in it. */
  #announceBelow(value: unknown, path: Path, selections: readonly TypedSelection[]): void {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.#announceBelow(item, [...path, index], selections);
      return;
    }
    if (!isRecord(value) || selections.length === 0) return;
    const { fields, deferred } = this.#collect(selections, value);
    for (const { label, selection, isCertain } of deferred) {
      if (isCertain) this.#announce(path, label, { selections: [selection], nextItem: undefined });
      else {
        const key = keyOf(path, label);
        this.#possible.set(key, [...(this.#possible.get(key) ?? []), selection]);
      }
    }
    for (const [key, nodes] of fields) this.#announceField(value[key], [...path, key], nodes);
  }

  #announceField(
    value: unknown,
    path: Path,
    nodes: readonly { node: FieldNode; type: GraphQLNamedType | undefined }[],
  ): void {
    const selections = nodes.flatMap(({ node, type }) => {
      const field =
        isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
      return node.selectionSet ? [{ type: field && getNamedType(field.type), set: node.selectionSet }] : [];
    });
    const [first] = nodes;
    const stream = first && getDirectiveValues(streamDirective, first.node, this.#variables);
    // A list that is shorter has no further items.
    if (Array.isArray(value) && stream?.if === true && value.length >= Number(stream.initialCount))
      this.#announce(path, stream.label as string | undefined, { selections, nextItem: value.length });
    this.#announceBelow(value, path, selections);
  }

  /** Fields and deferred fragments of an object, with those of its fragments. */
  #collect(selections: readonly TypedSelection[], object: Record<string, unknown>): CollectedSelections {
    const collected: CollectedSelections = { fields: new Map(), deferred: [] };
    for (const { type, set } of selections) {
      const name = object.__typename;
      const known =
        isAbstractType(type) && typeof name === 'string' ? this.#operation.schema.getType(name) : type;
      this.#collectFrom(set, known, true, collected);
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
          : this.#operation.schema.getType(fragment.typeCondition.name.value);
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
    const { schema } = this.#operation;
    const named = schema.getType(condition);
    if (isObjectType(type)) return isAbstractType(named) && schema.isSubType(named, type);
    return isAbstractType(named) && isInterfaceType(type) && schema.isSubType(named, type) ? true : undefined;
  }
}

const keyOf = (path: Path, label: string | undefined): string => JSON.stringify([path, label]);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
