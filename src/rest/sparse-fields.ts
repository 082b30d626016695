/** Sparse fieldsets, `?fields=name,variants.sku`: narrows the operation of a route to the requested fields. */
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
import { formatSuggestion } from '../lib/text/closest-name.ts';
import type { RestRoute } from './route.ts';

const maxLength = 2000;
const maxNames = 100;

/** Requested fields by name; an empty map requests all nested fields. */
interface FieldTree extends Map<string, FieldTree> {}

/** Normalised list of the requested fields: unique, sorted, separated by commas. Empty if there are none. */
export function parseFieldsParam(query: string): string {
  if (!query.includes('fields=')) return '';
  const names = new URLSearchParams(query).getAll('fields').flatMap((value) => value.split(','));
  return [...new Set(names.map((name) => name.trim()))]
    .filter((name) => name !== '')
    .sort()
    .join(',');
}

/** Path of the records in the data: the items of a list, or the record. Undefined if the route returns neither. */
export function responseRecordPathOf({ method, response }: RestRoute): readonly string[] | undefined {
  if (method !== 'GET') return undefined;
  if ('list' in response) return [...response.list.split('.'), 'nodes'];
  return 'at' in response && !response.fallback ? response.at.split('.') : undefined;
}

/** Source of the route's operation with only these fields, or the errors of `fields`. */
export function narrowOperationToFields(
  route: RestRoute,
  path: readonly string[],
  fields: string,
): string | ErrorDetail[] {
  const names = fields.split(',');
  if (fields.length > maxLength || names.length > maxNames)
    return [fieldsError('TOO_LONG', `Must be at most ${maxNames} names in ${maxLength} characters.`)];
  const document = parse(route.operation.source, { noLocation: true });
  const narrowing = new OperationNarrowing(document);
  const requested = toFieldTree(names);
  const definitions = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? [narrowing.operation(definition, path, requested)] : [],
  );
  if (narrowing.unknownFields.length > 0)
    return narrowing.unknownFields.map(({ name, suggestion }) =>
      fieldsError('UNKNOWN_FIELD', `There is no field ${name}.${suggestion}`),
    );
  return print({ kind: Kind.DOCUMENT, definitions });
}

const fieldsError = (error: DetailCode, message: string): ErrorDetail => ({
  field: 'fields',
  error,
  message,
});

function toFieldTree(names: readonly string[]): FieldTree {
  const tree: FieldTree = new Map();
  const allNames = new Set(names);
  for (const name of names) {
    const parts = name.split('.');
    // `variants` requests all nested fields and makes `variants.sku` redundant.
    if (parts.some((_, end) => end > 0 && allNames.has(parts.slice(0, end).join('.')))) continue;
    let level = tree;
    for (const part of parts) {
      const nested: FieldTree = level.get(part) ?? new Map();
      level.set(part, nested);
      level = nested;
    }
  }
  return tree;
}

class OperationNarrowing {
  readonly unknownFields: { name: string; suggestion: string }[] = [];
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor({ definitions }: DocumentNode) {
    this.#fragments = new Map(
      definitions.flatMap((definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
      ),
    );
  }

  operation(
    node: OperationDefinitionNode,
    path: readonly string[],
    requested: FieldTree,
  ): OperationDefinitionNode {
    return { ...node, selectionSet: this.#narrowAt(node.selectionSet, path, requested) };
  }

  /** Keeps all fields outside of the record, and the requested fields of the record at `path`. */
  #narrowAt(set: SelectionSetNode, path: readonly string[], requested: FieldTree): SelectionSetNode {
    const [next, ...remainingPath] = path;
    if (next === undefined) return this.#select(set, requested, '');
    return withSelections(
      set,
      this.#fields(set).map((field) =>
        keyOf(field) === next && field.selectionSet
          ? { ...field, selectionSet: this.#narrowAt(field.selectionSet, remainingPath, requested) }
          : this.#expand(field),
      ),
    );
  }

  #select(set: SelectionSetNode, requested: FieldTree, prefix: string): SelectionSetNode {
    const fields = this.#fields(set);
    const selected = fields.flatMap((field) => {
      const nested = requested.get(keyOf(field));
      if (!nested) return [];
      if (nested.size === 0) return [this.#expand(field)];
      const nestedPrefix = `${prefix}${keyOf(field)}.`;
      if (field.selectionSet)
        return [{ ...field, selectionSet: this.#select(field.selectionSet, nested, nestedPrefix) }];
      this.unknownFields.push(
        ...[...nested.keys()].map((name) => ({ name: nestedPrefix + name, suggestion: '' })),
      );
      return [];
    });
    const available = new Set(fields.map(keyOf));
    const unknown = [...requested.keys()].filter((name) => !available.has(name));
    this.unknownFields.push(
      ...unknown.map((name) => ({
        name: prefix + name,
        suggestion: formatSuggestion(
          prefix + name,
          [...available].map((other) => prefix + other),
        ),
      })),
    );
    return withSelections(set, selected);
  }

  /** The field with all fragments of its selection expanded. */
  #expand(field: FieldNode): FieldNode {
    if (!field.selectionSet) return field;
    return {
      ...field,
      selectionSet: withSelections(
        field.selectionSet,
        this.#fields(field.selectionSet).map((inner) => this.#expand(inner)),
      ),
    };
  }

  /** Fields of a selection and of its fragments; in stored operations all fragments are on the type of the selection. */
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
