/** `gql` for custom documents: the compiler derives result and variables from the text, with the types of gql.tada. */
import type { Document } from './document.ts';
import type { DocumentError } from './document-errors.ts';
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

/** Result type of a document. */
export type ResultOf<Of> = Of extends Document<infer Result, infer _> ? Result : never;
/** Variables of a document. */
export type VariablesOf<Of> = Of extends Document<infer _, infer Variables> ? Variables : never;

/** A document with its text and the texts of its fragments. */
export interface OwnDocument<Result, Variables, Definition = void>
  extends Document<Result, Variables>,
    DefinitionDecoration<Definition> {
  readonly texts: readonly string[];
}

type FragmentList = readonly (FragmentShape & { readonly texts: readonly string[] })[];

/** Optional properties may also be undefined; neither is sent. */
type AllowUndefined<Value> = Value extends readonly (infer Item)[]
  ? readonly AllowUndefined<Item>[]
  : Value extends object
    ? {
        [Key in keyof Value]:
          | AllowUndefined<Value[Key]>
          | (Value extends Record<Key, Value[Key]> ? never : undefined);
      }
    : Value;

type FragmentsByName<Fragments extends FragmentList> = Fragments extends readonly []
  ? Record<never, never>
  : getFragmentsOfDocuments<Fragments>;

type Typed<Parsed extends DocumentNodeLike, Fragments extends FragmentList> = OwnDocument<
  getDocumentType<Parsed, Schema, FragmentsByName<Fragments>>,
  AllowUndefined<getVariablesType<Parsed, Schema>>,
  decorateFragmentDef<Parsed, true>
>;

/** The text if it is valid, otherwise the error, which no text is assignable to. */
type Validated<Text, Invalid> = [Invalid] extends [never] ? Text : Invalid;

/**
 * Creates a document for `run`, `each` and `watch`, or a fragment for the list of another document. An invalid document is a compile
 * error that contains the reason.
 */
export const gql = <const Text extends string, const Fragments extends FragmentList = []>(
  text: Validated<Text, DocumentError<parseDocument<Text>, FragmentsByName<Fragments>>>,
  fragments?: Fragments,
): Typed<parseDocument<Text>, Fragments> => {
  const texts = [...new Set([text as string, ...(fragments ?? []).flatMap((fragment) => fragment.texts)])];
  return { texts, toString: () => texts.join('\n') };
};
