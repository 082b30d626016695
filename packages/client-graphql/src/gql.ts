/** Documents of one's own, typed by what they select: the compiler reads them with the types of gql.tada. */
import type { Document } from './document.ts';
import type { FaultIn } from './faults.ts';
import type { Schema } from './generated/schema.ts';
import type {
  DefinitionDecoration,
  DocumentNodeLike,
  decorateFragmentDef,
  FragmentShape,
  getDocumentType,
  getFragmentsOfDocuments,
  getVariablesType,
  parseDocument,
} from './generated/tada.ts';

/** What comes back for a document. */
export type ResultOf<Of> = Of extends Document<infer Result, infer _> ? Result : never;
/** What a document takes. */
export type VariablesOf<Of> = Of extends Document<infer _, infer Variables> ? Variables : never;

/** A document as it was written, with the fragments that it was given. */
export interface OwnDocument<Result, Variables, Definition = void>
  extends Document<Result, Variables>,
    DefinitionDecoration<Definition> {
  readonly texts: readonly string[];
}

type Given = readonly (FragmentShape & { readonly texts: readonly string[] })[];

/** What may be left out may also be undefined: neither is sent. */
type Lenient<Value> = Value extends readonly (infer One)[]
  ? readonly Lenient<One>[]
  : Value extends object
    ? {
        [Key in keyof Value]:
          | Lenient<Value[Key]>
          | (Value extends Record<Key, Value[Key]> ? never : undefined);
      }
    : Value;

type NamesOf<Fragments extends Given> = Fragments extends readonly []
  ? Record<never, never>
  : getFragmentsOfDocuments<Fragments>;

type Typed<Parsed extends DocumentNodeLike, Fragments extends Given> = OwnDocument<
  getDocumentType<Parsed, Schema, NamesOf<Fragments>>,
  Lenient<getVariablesType<Parsed, Schema>>,
  decorateFragmentDef<Parsed, true>
>;

/** The text itself; where the schema has no such thing, what is wrong with it. */
type Sound<Text, Fault> = [Fault] extends [never] ? Text : Fault;

/**
 * A document for `run`, `each` and `watch`, typed by what it selects; a fragment for others, which are given it in a list.
 * What the schema does not have is refused by the compiler, with a sentence in place of the text.
 */
export const gql = <const Text extends string, const Fragments extends Given = []>(
  text: Sound<Text, FaultIn<parseDocument<Text>, NamesOf<Fragments>>>,
  fragments?: Fragments,
): Typed<parseDocument<Text>, Fragments> => {
  const texts = [...new Set([text as string, ...(fragments ?? []).flatMap((one) => one.texts)])];
  return { texts, toString: () => texts.join('\n') };
};
