/** Shell variables in pasted commands: expanded if the text assigns them, otherwise read from the environment by the printed code. */
import { inspect } from 'node:util';
import type { VariableTypes } from '../../graphql/execute/coerce-variables.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import { shellQuote, typeScriptLiteral } from '../../lib/text/code-literals.ts';
import { queryParamKindOf } from '../query-params.ts';

/** Expands the variables that an earlier command assigns, such as `B=01a1`; values of commands, such as `$(curl …)`, stay unknown. */
export function expandAssignedVariables(commands: readonly (readonly string[])[]): string[][] {
  const values = new Map<string, string>();
  return commands.map((words) => {
    const expanded = words.map((word) =>
      word.replace(/\$(?:(\w+)|\{(\w+)\})/g, (text, plain, braced) => values.get(plain ?? braced) ?? text),
    );
    for (const word of expanded[0] === 'export' ? expanded.slice(1) : expanded.slice(0, 1)) {
      const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
      if (name !== undefined && !value.includes('$')) values.set(name, value);
    }
    return expanded;
  });
}

const nameOfVariable = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})$/.exec(value)?.slice(1).find(Boolean)
    : undefined;

/** Replaces each text that consists of one shell variable. */
function replaceVariables(
  value: unknown,
  replace: (name: string, path: string) => unknown,
  path = '',
): unknown {
  const name = nameOfVariable(value);
  if (name !== undefined) return replace(name, path);
  if (Array.isArray(value)) return value.map((item) => replaceVariables(item, replace, `${path}[]`));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    replaceVariables(inner, replace, path === '' ? key : `${path}.${key}`),
  ]);
  return Object.fromEntries(entries);
}

export const containsShellVariables = (value: unknown): boolean => {
  let isFound = false;
  replaceVariables(value, () => {
    isFound = true;
  });
  return isFound;
};

/** Removes shell variables of numeric types, which are no valid values, and returns them. That of the version is in `If-Match`. */
export function takeNumericShellVariables(
  values: Record<string, unknown>,
  types: VariableTypes,
  ifMatch: string | undefined,
): Record<string, string> {
  const taken: Record<string, string> = {};
  for (const { name, type } of types) {
    const value = name === 'version' ? ifMatch?.replaceAll('"', '') : values[name];
    if (nameOfVariable(value) === undefined || !/^(?:integer|number)$/.test(queryParamKindOf(type))) continue;
    taken[name] = String(value);
    delete values[name];
  }
  return taken;
}

/** TypeScript literal in which shell variables are read from `process.env`. `numeric`: names of numeric variables of the operation. */
export const typeScriptWithEnvironment = (value: unknown, numeric: readonly string[] = []): string =>
  typeScriptLiteral(
    replaceVariables(value, (name, path) => ({
      [inspect.custom]: () =>
        numeric.includes(path) ? `Number(process.env.${name})` : `process.env.${name} ?? ''`,
    })),
  );

/** JSON of a GraphQL request as a quoted shell word in which shell variables are expanded. */
export const shellJsonWithEnvironment = (request: object, numeric: readonly string[]): string =>
  // Private-use characters mark the names, because JSON and the shell escape quotes.
  shellQuote(
    JSON.stringify(
      replaceVariables(request, (name, path) =>
        numeric.includes(path.replace('variables.', '')) ? `\uE002${name}\uE003` : `\uE000${name}\uE001`,
      ),
    ),
  )
    .replace(/"\uE002(\w+)\uE003"/g, `'"$$$1"'`)
    .replace(/\uE000(\w+)\uE001/g, `'"$$$1"'`);
