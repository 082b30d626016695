/** Decides which documents graphql-jit runs exactly as graphql-js does; test/graphql/jit-differential.test.ts compares both. */
import { type DocumentNode, Kind, visit } from 'graphql';

/** Only small documents are compiled: compiling takes longer than interpreting, and the code is large. */
const maxFields = 250;

/** Names that generated code would resolve to properties of Object.prototype. */
const inherited = new Set(Object.getOwnPropertyNames(Object.prototype));

export function isJitSafe(document: DocumentNode, fields: number): boolean {
  if (fields > maxFields) return false;
  let safe = true;
  let insideLiteral = 0;
  const literal = {
    enter: () => {
      insideLiteral += 1;
    },
    leave: () => {
      insideLiteral -= 1;
    },
  };
  const unsafeIf = (condition: boolean) => {
    if (condition) safe = false;
  };
  visit(document, {
    // graphql-jit mixes up @skip and @include of fields that are selected several times or through fragments.
    Directive: () => unsafeIf(true),
    // graphql-jit drops variables inside of scalar literals, and turns absent ones into null in lists and objects.
    [Kind.LIST]: literal,
    [Kind.OBJECT]: literal,
    Variable: () => unsafeIf(insideLiteral > 0),
    Name: ({ value }) => unsafeIf(inherited.has(value)),
    // graphql-jit runs the following mutation fields even if the first one fails.
    OperationDefinition: ({ operation, selectionSet }) =>
      unsafeIf(operation === 'mutation' && selectionSet.selections.length > 1),
  });
  return safe;
}
