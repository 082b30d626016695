/** Checks the literals of a document like variables: text that PostgreSQL rejects, prototype pollution and excessive depth. */
import { type DocumentNode, Kind, type ValueNode, visit } from 'graphql';
import type { ErrorDetail } from '../../errors.ts';
import { findJsonKeyProblem, findUnstorableTextProblem, maxJsonDepth } from '../../lib/json/json-limits.ts';
import { toClientFieldPath } from '../../lib/validation/input.ts';

/** Levels of a literal: JSON of the maximum depth, inside input objects. */
const maxLiteralDepth = 2 * maxJsonDepth;
const tooDeepMessage = `Must not be nested deeper than ${maxLiteralDepth} levels.`;

/** One detail per invalid literal, with the path of the argument or the name of the variable whose default it is. */
export function findLiteralProblems(document: DocumentNode): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  const add = (path: readonly string[], message: string | undefined) => {
    if (message) details.push({ field: toClientFieldPath(path), error: 'INVALID_TEXT', message });
  };
  function check(node: ValueNode, path: readonly string[]): void {
    if (node.kind === Kind.STRING) add(path, findUnstorableTextProblem(node.value));
    else if (node.kind !== Kind.LIST && node.kind !== Kind.OBJECT) return;
    else if (path.length > maxLiteralDepth) add(path.slice(0, 1), tooDeepMessage);
    else if (node.kind === Kind.LIST)
      for (const [index, item] of node.values.entries()) check(item, [...path, String(index)]);
    else
      for (const { name, value } of node.fields) {
        add(path, findJsonKeyProblem(name.value));
        check(value, [...path, name.value]);
      }
  }
  visit(document, {
    Argument({ name, value }) {
      check(value, [name.value]);
      return false;
    },
    VariableDefinition({ variable, defaultValue }) {
      if (defaultValue) check(defaultValue, [variable.name.value]);
      return false;
    },
  });
  return details;
}
