/** The data of an operation without data: objects that stand for what its selection would return. */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/** A selected field: what the schema says about it, and what is selected below it. */
export interface Selected {
  key: string;
  owner: GraphQLObjectType;
  field: GraphQLField<unknown, unknown>;
  selections: readonly SelectionSetNode[];
}

/** What a symbolic value stands for. */
export interface Meaning {
  selected: Selected;
  /** The type without its outermost `!`. */
  type: GraphQLOutputType;
  nullable: boolean;
}

export interface Choice {
  /** Path of the one field that is null this time. */
  nullAt?: string;
  /** Paths of fields of an abstract type, with the member they return this time. */
  members?: Readonly<Record<string, string>>;
}

export interface Symbolic {
  data: unknown;
  /** The other ways this data could have turned out. */
  choices: Choice[];
}

/** Nothing a row decides by lies deeper than this. */
const deepestChoice = 3;

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export class Symbols {
  readonly #schema: GraphQLSchema;
  readonly #fragments: Fragments;
  readonly #meanings = new WeakMap<object, Meaning>();

  constructor(schema: GraphQLSchema, fragments: Fragments) {
    this.#schema = schema;
    this.#fragments = fragments;
  }

  meaningOf(value: unknown): Meaning | undefined {
    return typeof value === 'object' && value !== null ? this.#meanings.get(value) : undefined;
  }

  dataOf(root: GraphQLObjectType, selections: SelectionSetNode, choice: Choice = {}): Symbolic {
    const choices: Choice[] = [];
    const data = this.#object(root, [selections], '', choice, choices);
    return { data, choices };
  }

  /** The fields selected of an object type, fragments included. */
  fieldsOf(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Selected[] {
    const found = new Map<string, Selected>();
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

  #object(
    type: GraphQLObjectType,
    sets: readonly SelectionSetNode[],
    path: string,
    choice: Choice,
    choices: Choice[] | undefined,
  ): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const selected of this.fieldsOf(type, sets)) {
      const at = path === '' ? selected.key : `${path}.${selected.key}`;
      const nullable = !isNonNullType(selected.field.type);
      if (nullable && at.split('.').length <= deepestChoice) choices?.push({ nullAt: at });
      result[selected.key] =
        choice.nullAt === at ? null : this.#value(selected, selected.field.type, at, choice, choices);
    }
    // What an operation asks of every type, to tell members of a union apart.
    result.__typename = type.name;
    return Object.defineProperty(result, '__typename', { enumerable: false });
  }

  #value(
    selected: Selected,
    outer: GraphQLOutputType,
    path: string,
    choice: Choice,
    choices: Choice[] | undefined,
  ): unknown {
    const nullable = !isNonNullType(outer);
    const type = (isNonNullType(outer) ? outer.ofType : outer) as GraphQLOutputType;
    const meaning: Meaning = { selected, type, nullable };
    const means = <Value extends object>(value: Value): Value => {
      this.#meanings.set(value, meaning);
      return value;
    };
    // Choices inside lists differ from item to item: there is none to make for the whole answer.
    if (isListType(type)) return means([this.#value(selected, type.ofType, path, choice, undefined)]);
    if (isObjectType(type)) return means(this.#object(type, selected.selections, path, choice, choices));
    if (isAbstractType(type)) {
      const members = this.#schema.getPossibleTypes(type);
      choices?.push(...members.slice(1).map((member) => ({ members: { [path]: member.name } })));
      const member = members.find(({ name }) => name === choice.members?.[path]) ?? members[0];
      if (!member) return means({});
      const value = this.#object(member, selected.selections, path, choice, choices);
      // Where there is a choice, each member is tried; in a list any item may be any member.
      this.#meanings.set(value, choices ? { ...meaning, type: member } : meaning);
      return value;
    }
    return means({});
  }
}
