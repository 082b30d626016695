/**
 * Results in parts in the current format of the proposal (graphql-js 17): `pending` announces parts, `incremental` has their content, and
 * `completed` ends them. The executor only reports parts that are complete, so this file finds those that will follow: deferred fragments
 * and streamed lists in the data that was sent.
 */
import {
  type ExecutionResult,
  type FieldNode,
  type GraphQLError,
  type GraphQLNamedType,
  getNamedType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import type { Variables } from '../coerce-variables.ts';
import type { ParsedOperation } from '../operation-compiler-types.ts';
import type { IncrementalPart, SubsequentResult } from './result-queue.ts';
import { SelectionCollector, type TypedSelection } from './selection-collector.ts';

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

interface OpenPart {
  id: string;
  path: Path;
  /** Selections of a deferred fragment, or of the items of a list. */
  selections: readonly TypedSelection[];
  /** Index of the next item of a list; undefined for a fragment. */
  nextItem: number | undefined;
}

export class PendingFormat {
  readonly #collector: SelectionCollector;
  readonly #open = new Map<string, OpenPart[]>();
  /** Deferred fragments on objects of unknown type: announced when they arrive. */
  readonly #possible = new Map<string, TypedSelection[]>();
  /** Parts of values that have not been sent yet. */
  #waiting: IncrementalPart[] = [];
  #announced: PendingPart[] = [];
  #lastId = 0;

  constructor(operation: ParsedOperation, variables: Variables) {
    this.#collector = new SelectionCollector(operation, variables);
  }

  convertFirst(result: ExecutionResult): PendingFormatResult {
    this.#announceBelow(result.data, [], [this.#collector.root]);
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
        keys.every((name) => this.#collector.collect(selections, data).fields.has(name)),
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
    const { fields, deferred } = this.#collector.collect(selections, value);
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
    const stream = first && this.#collector.streamOf(first.node);
    // A list that is shorter has no further items.
    if (Array.isArray(value) && stream?.if === true && value.length >= Number(stream.initialCount))
      this.#announce(path, stream.label as string | undefined, { selections, nextItem: value.length });
    this.#announceBelow(value, path, selections);
  }
}

const keyOf = (path: Path, label: string | undefined): string => JSON.stringify([path, label]);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
