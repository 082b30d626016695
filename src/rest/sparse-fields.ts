/** `?fields=name,variants.sku`: the operation of a row, cut down to the fields that a caller wants. */

import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { DetailCode } from '../detail-codes.ts';
import type { ErrorDetail } from '../errors.ts';
import type { RestRoute } from './route.ts';

const maxLength = 2000;
const maxNames = 100;

/** Wanted fields by name; an empty one is wanted with all that is in it. */
interface Wanted extends Map<string, Wanted> {}

/** The wanted fields in a form that is the same for every order they are sent in; empty when none are. */
export function parseFieldsParam(query: string): string {
  if (!query.includes('fields=')) return '';
  const names = new URLSearchParams(query).getAll('fields').flatMap((sent) => sent.split(','));
  return [...new Set(names.map((name) => name.trim()))]
    .filter((name) => name !== '')
    .sort()
    .join(',');
}

/** Where in the answer the fields are: in the items of a list, or in the record. Undefined: the row answers neither. */
export function recordPathOf({ method, answer }: RestRoute): readonly string[] | undefined {
  if (method !== 'GET') return undefined;
  if ('list' in answer) return [...answer.list.split('.'), 'nodes'];
  return 'at' in answer && !answer.otherwise ? answer.at.split('.') : undefined;
}

/** The source of the row's operation with nothing but those fields, or what is wrong with them. */
export function narrowOperation(
  row: RestRoute,
  path: readonly string[],
  fields: string,
): string | ErrorDetail[] {
  const names = fields.split(',');
  if (fields.length > maxLength || names.length > maxNames)
    return [fault('TOO_LONG', `Must be at most ${maxNames} names in ${maxLength} characters.`)];
  const document = parse(row.operation.source, { noLocation: true });
  const narrowing = new Narrowing(document);
  const wanted = treeOf(names);
  const definitions = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? [narrowing.operation(definition, path, wanted)] : [],
  );
  if (narrowing.unknown.length > 0)
    return narrowing.unknown.map((name) => fault('UNKNOWN_FIELD', `There is no field ${name}.`));
  return print({ kind: Kind.DOCUMENT, definitions });
}

const fault = (error: DetailCode, message: string): ErrorDetail => ({ field: 'fields', error, message });

function treeOf(names: readonly string[]): Wanted {
  const tree: Wanted = new Map();
  const whole = new Set(names);
  for (const name of names) {
    const parts = name.split('.');
    // `variants` wants all of it, whatever `variants.sku` adds.
    if (parts.some((_, end) => end > 0 && whole.has(parts.slice(0, end).join('.')))) continue;
    let at = tree;
    for (const part of parts) {
      const below: Wanted = at.get(part) ?? new Map();
      at.set(part, below);
      at = below;
    }
  }
  return tree;
}

class Narrowing {
  readonly unknown: string[] = [];
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor({ definitions }: DocumentNode) {
    this.#fragments = new Map(
      definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
    );
  }

  operation(node: OperationDefinitionNode, path: readonly string[], wanted: Wanted): OperationDefinitionNode {
    return { ...node, selectionSet: this.#along(node.selectionSet, path, wanted) };
  }

  /** Keeps everything on the way to the record, and of the record what is wanted. */
  #along(set: SelectionSetNode, [next, ...rest]: readonly string[], wanted: Wanted): SelectionSetNode {
    if (next === undefined) return this.#only(set, wanted, '');
    return withSelections(
      set,
      this.#fields(set).map((field) =>
        keyOf(field) === next && field.selectionSet
          ? { ...field, selectionSet: this.#along(field.selectionSet, rest, wanted) }
          : this.#whole(field),
      ),
    );
  }

  #only(set: SelectionSetNode, wanted: Wanted, at: string): SelectionSetNode {
    const fields = this.#fields(set);
    const kept = fields.flatMap((field) => {
      const below = wanted.get(keyOf(field));
      if (!below) return [];
      if (below.size === 0) return [this.#whole(field)];
      const inside = `${at}${keyOf(field)}.`;
      if (field.selectionSet)
        return [{ ...field, selectionSet: this.#only(field.selectionSet, below, inside) }];
      this.unknown.push(...[...below.keys()].map((name) => inside + name));
      return [];
    });
    const known = new Set(fields.map(keyOf));
    this.unknown.push(...[...wanted.keys()].filter((name) => !known.has(name)).map((name) => at + name));
    return withSelections(set, kept);
  }

  #whole(field: FieldNode): FieldNode {
    if (!field.selectionSet) return field;
    return {
      ...field,
      selectionSet: withSelections(
        field.selectionSet,
        this.#fields(field.selectionSet).map((inner) => this.#whole(inner)),
      ),
    };
  }

  /** The fields of a selection with those of its fragments, which in rows are all of the same type. */
  #fields({ selections }: SelectionSetNode): FieldNode[] {
    return selections.flatMap((selection): FieldNode[] => {
      if (selection.kind === Kind.FIELD) return [selection];
      const set =
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection.selectionSet
          : this.#fragments.get(selection.name.value)?.selectionSet;
      return set ? this.#fields(set) : [];
    });
  }
}

const keyOf = ({ alias, name }: FieldNode) => alias?.value ?? name.value;

const withSelections = (set: SelectionSetNode, selections: readonly SelectionNode[]): SelectionSetNode => ({
  ...set,
  selections,
});
