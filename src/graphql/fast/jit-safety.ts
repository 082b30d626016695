/** Which documents graphql-jit runs exactly as graphql-js does. The others are interpreted, see test/graphql/jit-differential.test.ts. */
import { type DocumentNode, Kind, visit } from 'graphql';

/** Code is made for small documents only: making it takes longer than interpreting, and it is large. */
const maxFields = 250;

/** Names that generated code would look up in, or lose to, the prototype of objects. */
const inherited = new Set(Object.getOwnPropertyNames(Object.prototype));

export function isJitSafe(document: DocumentNode, fields: number): boolean {
  if (fields > maxFields) return false;
  let faithful = true;
  let insideLiteral = 0;
  const literal = {
    enter: () => {
      insideLiteral += 1;
    },
    leave: () => {
      insideLiteral -= 1;
    },
  };
  const unless = (refused: boolean) => {
    if (refused) faithful = false;
  };
  visit(document, {
    // Conditions of fields that are selected several times, or through fragments, are mixed up.
    Directive: () => unless(true),
    // Variables inside of literals are lost in scalars, and absent ones become null in lists and objects.
    [Kind.LIST]: literal,
    [Kind.OBJECT]: literal,
    Variable: () => unless(insideLiteral > 0),
    Name: ({ value }) => unless(inherited.has(value)),
    // After a failure of the first, others would still be run.
    OperationDefinition: ({ operation, selectionSet }) =>
      unless(operation === 'mutation' && selectionSet.selections.length > 1),
  });
  return faithful;
}
