/** Type-level validation of documents: a string literal type with the error, or never. Checks fields, arguments, types and fragments; the gateway validates the rest. */
import type { Schema, Types } from './generated/schema.ts';

type NameOf<Node> = Node extends { name: { value: infer Name extends string } } ? Name : never;

type Each<List> = List extends readonly unknown[] ? List[number] : never;

/** Unknown and missing arguments of a field. */
type ArgumentError<Field, Args, At extends string> = Field extends {
  args: infer Allowed;
  required: infer RequiredArgs extends string;
}
  ?
      | (Exclude<Args, Allowed> extends infer Name extends string ? `${At} has no argument ${Name}.` : never)
      | (Exclude<RequiredArgs, Args> extends infer Name extends string
          ? `${At} requires the argument ${Name}.`
          : never)
  : never;

/** Errors below a field: an object type requires a selection, a scalar must not have one. */
type SubselectionError<Of, Set, At extends string, Fragments> = Of extends keyof Types
  ? Types[Of] extends { fields: unknown }
    ? Set extends { selections: infer Selections }
      ? SelectionError<Each<Selections>, Of, Fragments>
      : `${At} requires a selection of fields.`
    : Set extends { selections: unknown }
      ? `${At} has no fields.`
      : never
  : never;

type FieldError<Node, Name extends string, On extends keyof Types, Fragments> = Name extends '__typename'
  ? never
  : Types[On] extends { fields: infer Fields }
    ? Name extends keyof Fields
      ? Fields[Name] extends infer Field extends { of: string }
        ? Node extends { arguments: infer Args; selectionSet: infer Set }
          ?
              | ArgumentError<Field, NameOf<Each<Args>>, `${On}.${Name}`>
              | SubselectionError<Field['of'], Set, `${On}.${Name}`, Fragments>
          : never
        : never
      : `${On} has no field ${Name}.`
    : never;

/** Errors of a selected field or fragment, and of everything below it. */
type SelectionError<Node, On extends keyof Types, Fragments> = Node extends { kind: 'Field' }
  ? FieldError<Node, NameOf<Node>, On, Fragments>
  : Node extends { kind: 'FragmentSpread' }
    ? NameOf<Node> extends keyof Fragments
      ? never
      : `There is no fragment ${NameOf<Node>}.`
    : Node extends { typeCondition: infer Condition; selectionSet: { selections: infer Selections } }
      ? Condition extends { name: unknown }
        ? TypeConditionError<NameOf<Condition>, Selections, Fragments>
        : SelectionError<Each<Selections>, On, Fragments>
      : never;

type TypeConditionError<Name extends string, Selections, Fragments> = Name extends keyof Types
  ? SelectionError<Each<Selections>, Name, Fragments>
  : `There is no type ${Name}.`;

type TypeNameOf<Type> = Type extends { type: infer Inner } ? TypeNameOf<Inner> : NameOf<Type>;

type VariableError<Variable> = Variable extends { type: infer Type }
  ? TypeNameOf<Type> extends keyof Types
    ? never
    : `There is no type ${TypeNameOf<Type>}.`
  : never;

type DefinitionError<Definition, Fragments> = Definition extends {
  operation: infer Operation extends keyof Schema;
  variableDefinitions: infer Variables;
  selectionSet: { selections: infer Selections };
}
  ? VariableError<Each<Variables>> | TypeConditionError<Schema[Operation] & string, Selections, Fragments>
  : Definition extends { typeCondition: infer Condition; selectionSet: { selections: infer Selections } }
    ? TypeConditionError<NameOf<Condition>, Selections, Fragments>
    : never;

/** Fragments that the document defines. */
type FragmentsIn<Definitions> = {
  [Definition in Each<Definitions> as Definition extends { kind: 'FragmentDefinition' }
    ? NameOf<Definition>
    : never]: Definition;
};

export type DocumentError<Parsed, Fragments> = [Parsed] extends [never]
  ? 'This is not a GraphQL document.'
  : Parsed extends { definitions: infer Definitions }
    ? DefinitionError<Each<Definitions>, FragmentsIn<Definitions> & Fragments>
    : never;
