/** Variables of the GraphQL operation for the parts of a REST request, as source text. */
import { type Expression, Node, type Type } from 'ts-morph';
import { type Entry, NotRewritable, printObject, readEntries, unwrap } from './object-entries.ts';
import type { MigrationRoute, QueryParameter } from './route-table.ts';

export interface RequestParts {
  route: MigrationRoute;
  path: readonly Entry[];
  query: readonly Entry[];
  body: Expression | undefined;
  /** Text of the version in `If-Match`. */
  version: string | undefined;
}

export function printVariables({ route, path, query, body, version }: RequestParts): string {
  const parameters = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const entries = [
    ...parameters.map((name) => {
      const entry = path.find((candidate) => candidate.name === name);
      if (!entry) throw new NotRewritable(`the path parameter ${name} is missing`);
      return { name, text: convertValue('string', entry) };
    }),
    ...queryVariables(route, query),
    ...bodyVariables(route, body),
    ...(version === undefined ? [] : [{ name: 'version', text: version }]),
  ];
  return printObject(entries);
}

function queryVariables({ query: parameters }: MigrationRoute, query: readonly Entry[]) {
  const variables = new Map<string, string>();
  const fields = new Map<string, { name: string; text: string }[]>();
  for (const entry of query) {
    const parameter = parameters[entry.name];
    if (entry.name === 'fields')
      throw new NotRewritable('`?fields=` needs a document of its own with these fields');
    // REST ignores unknown parameters.
    if (!parameter) continue;
    const text = convertValue(parameter.kind, entry);
    if (parameter.field !== undefined) {
      const list = fields.get(parameter.variable) ?? [];
      fields.set(parameter.variable, [...list, { name: parameter.field, text }]);
    } else if (variables.has(parameter.variable)) {
      throw new NotRewritable(`several query parameters set the variable $${parameter.variable}`);
    } else variables.set(parameter.variable, text);
  }
  return [
    ...[...variables].map(([name, text]) => ({ name, text })),
    ...[...fields].map(([name, list]) => ({ name, text: printObject(list) })),
  ];
}

const isText = (type: Type): boolean =>
  type.isString() ||
  type.isStringLiteral() ||
  type.isTemplateLiteral() ||
  (type.isUnion() && type.getUnionTypes().some(isText));
const isNumber = (type: Type): boolean =>
  type.isNumber() || type.isNumberLiteral() || (type.isUnion() && type.getUnionTypes().some(isNumber));

/** Converts texts of a URL, and values of an unknown type, to the type of the variable; other values are passed unchanged. */
function convertValue(kind: QueryParameter['kind'], { literal, text, type }: Entry): string {
  if (literal !== undefined) return convertLiteral(kind, literal);
  if (kind === 'string') return isNumber(type) && !isText(type) ? `String(${text})` : text;
  const isUnknown = type.isAny() || type.isUnknown();
  if (!isUnknown && !isText(type)) return text;
  const value = isUnknown ? `String(${text})` : text;
  if (kind === 'strings') return `${value}.split(',')`;
  return kind === 'boolean' ? `${value} === 'true'` : `Number(${text})`;
}

function convertLiteral(kind: QueryParameter['kind'], literal: string): string {
  if (kind === 'strings') return printTexts(literal.split(','));
  if (kind === 'string') return quote(literal);
  if (kind === 'boolean' ? /^(true|false)$/.test(literal) : /^-?\d+(\.\d+)?$/.test(literal)) return literal;
  throw new NotRewritable(`the value ${literal} is invalid in REST, too`);
}

export const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`;
const printTexts = (texts: readonly string[]) => `[${texts.map(quote).join(', ')}]`;

function bodyVariables(route: MigrationRoute, body: Expression | undefined) {
  const { hasInput, bodyFields, inputAliases, otherFields } = route;
  if (!body) return hasInput ? [{ name: 'input', text: '{}' }] : [];
  const needsEntries = bodyFields.length > 0 || hasChangedFields(route, body);
  if (!needsEntries) return hasInput ? [{ name: 'input', text: body.getText() }] : [];
  const entries = [...readEntries(body, 'the body').values()];
  const fields = entries.filter(({ name }) => bodyFields.includes(name));
  if (!hasInput) return fields;
  const names = new Set(entries.map(({ name }) => name));
  const input = entries
    .filter(({ name }) => !otherFields.includes(name))
    .filter(({ name }) => inputAliases[name] === undefined || !names.has(inputAliases[name]))
    .map(({ name, text }) => ({ name: inputAliases[name] ?? name, text }));
  return [...fields, { name: 'input', text: printObject(input) }];
}

/** Whether the body has fields that are renamed or dropped. */
function hasChangedFields({ inputAliases, otherFields }: MigrationRoute, body: Expression): boolean {
  const changed = [...Object.keys(inputAliases), ...otherFields];
  if (changed.length === 0) return false;
  const inner = unwrap(body);
  const type = inner.getType().getNonNullableType();
  if (type.isAny() || type.isUnknown())
    throw new NotRewritable(
      `the body may have fields that GraphQL names differently (${changed.join(', ')})`,
    );
  return Node.isObjectLiteralExpression(inner)
    ? changed.some((name) => inner.getType().getProperty(name) !== undefined)
    : changed.some((name) => type.getProperty(name) !== undefined);
}
