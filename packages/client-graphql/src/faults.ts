/** What is wrong with a document, as a type that says so: never, when nothing is. The gateway checks the rest. */
import type { Schema, Types } from './generated/schema.ts';

type NameOf<Node> = Node extends { name: { value: infer Name extends string } } ? Name : never;

type Each<List> = List extends readonly unknown[] ? List[number] : never;

/** The arguments of a field: those it does not take, and those it needs. */
type ArgumentFault<Field, Sent, At extends string> = Field extends {
  takes: infer Takes;
  needs: infer Needs extends string;
}
  ?
      | (Exclude<Sent, Takes> extends infer Name extends string ? `${At} takes no ${Name}.` : never)
      | (Exclude<Needs, Sent> extends infer Name extends string ? `${At} needs ${Name}.` : never)
  : never;

/** Below a field: what it leads to has fields of its own, or has none. */
type BelowFault<Of, Set, At extends string, Known> = Of extends keyof Types
  ? Types[Of] extends { fields: unknown }
    ? Set extends { selections: infer Below }
      ? SelectionFault<Each<Below>, Of, Known>
      : `${At} needs a selection of fields.`
    : Set extends { selections: unknown }
      ? `${At} has no fields.`
      : never
  : never;

type FieldFault<Node, Name extends string, On extends keyof Types, Known> = Name extends '__typename'
  ? never
  : Types[On] extends { fields: infer Fields }
    ? Name extends keyof Fields
      ? Fields[Name] extends infer Field extends { of: string }
        ? Node extends { arguments: infer Sent; selectionSet: infer Set }
          ?
              | ArgumentFault<Field, NameOf<Each<Sent>>, `${On}.${Name}`>
              | BelowFault<Field['of'], Set, `${On}.${Name}`, Known>
          : never
        : never
      : `${On} has no field ${Name}.`
    : never;

/** One of a selection, and all below it. */
type SelectionFault<Node, On extends keyof Types, Known> = Node extends { kind: 'Field' }
  ? FieldFault<Node, NameOf<Node>, On, Known>
  : Node extends { kind: 'FragmentSpread' }
    ? NameOf<Node> extends keyof Known
      ? never
      : `There is no fragment ${NameOf<Node>}.`
    : Node extends { typeCondition: infer Condition; selectionSet: { selections: infer Below } }
      ? Condition extends { name: unknown }
        ? OnFault<NameOf<Condition>, Below, Known>
        : SelectionFault<Each<Below>, On, Known>
      : never;

type OnFault<Name extends string, Below, Known> = Name extends keyof Types
  ? SelectionFault<Each<Below>, Name, Known>
  : `There is no type ${Name}.`;

type TypeNameOf<Type> = Type extends { type: infer Inner } ? TypeNameOf<Inner> : NameOf<Type>;

type VariableFault<Variable> = Variable extends { type: infer Type }
  ? TypeNameOf<Type> extends keyof Types
    ? never
    : `There is no type ${TypeNameOf<Type>}.`
  : never;

type DefinitionFault<One, Known> = One extends {
  operation: infer Operation extends keyof Schema;
  variableDefinitions: infer Variables;
  selectionSet: { selections: infer Below };
}
  ? VariableFault<Each<Variables>> | OnFault<Schema[Operation] & string, Below, Known>
  : One extends { typeCondition: infer Condition; selectionSet: { selections: infer Below } }
    ? OnFault<NameOf<Condition>, Below, Known>
    : never;

/** The fragments that the document holds itself. */
type Held<Definitions> = {
  [One in Each<Definitions> as One extends { kind: 'FragmentDefinition' } ? NameOf<One> : never]: One;
};

export type FaultIn<Parsed, Fragments> = [Parsed] extends [never]
  ? 'This is no GraphQL document.'
  : Parsed extends { definitions: infer Definitions }
    ? DefinitionFault<Each<Definitions>, Held<Definitions> & Fragments>
    : never;
