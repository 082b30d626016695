/** Headers of REST calls: those that the GraphQL request needs, and the version of `If-Match`. */
import { type Expression, Node } from 'ts-morph';
import { NotRewritable, unwrap } from './object-entries.ts';
import type { MigrationRoute } from './route-table.ts';

export interface RestHeaders {
  /** Headers for the GraphQL request; undefined if there are none. */
  text: string | undefined;
  /** Version of `If-Match`. */
  version?: string;
  /** The headers come from a variable whose names the compiler does not know, so that they may contain `If-Match`. */
  isOpen: boolean;
}

/** Headers are passed on, except those that apply to the body or become variables. */
export function readHeaders(value: Expression | undefined): RestHeaders {
  if (!value) return { text: undefined, isOpen: false };
  const inner = unwrap(value);
  if (!Node.isObjectLiteralExpression(inner)) return { text: value.getText(), isOpen: isOpenType(inner) };
  let version: string | undefined;
  let isOpen = false;
  const remaining: string[] = [];
  for (const entry of inner.getProperties()) {
    const name = Node.isPropertyAssignment(entry) ? normalize(entry.getName()) : '';
    if (name === 'content-type' || name === 'accept') continue;
    assertCommon(name);
    if (name === 'if-match')
      version = readVersion(Node.isPropertyAssignment(entry) ? entry.getInitializerOrThrow().getText() : '');
    else remaining.push(entry.getText());
    if (Node.isSpreadAssignment(entry)) isOpen ||= isOpenType(entry.getExpression());
  }
  const text = remaining.length > 0 ? `{ ${remaining.join(', ')} }` : undefined;
  return { text, isOpen, ...(version === undefined ? {} : { version }) };
}

const normalize = (name: string) => name.replace(/['"]/g, '').toLowerCase();

function assertCommon(name: string): void {
  if (name === 'x-duet-version' || name.startsWith('if-none') || name.startsWith('if-modified'))
    throw new NotRewritable(`the header ${name} applies to REST alone`);
}

/** Whether the compiler does not know all names. Throws if one of them cannot be passed on. */
function isOpenType(expression: Expression): boolean {
  const type = expression.getType().getNonNullableType();
  const names = type.getProperties().map((property) => normalize(property.getName()));
  names.forEach(assertCommon);
  if (names.includes('if-match')) throw new NotRewritable('If-Match is not stated in the call');
  const isHeaders = names.includes('append') && names.includes('getsetcookie');
  return (
    type.isAny() || type.isUnknown() || type.isUnion() || isHeaders || type.getStringIndexType() !== undefined
  );
}

/** The variable `$version` must not get lost: `If-Match` protects a change. */
export function assertVersionIsStated(route: MigrationRoute, { isOpen }: RestHeaders): void {
  if (route.hasVersion && isOpen) throw new NotRewritable('the headers may contain If-Match');
}

/** Version in the text of an `If-Match` value, such as '"3"' or `"${product.version}"`. */
export function readVersion(text: string): string {
  const version = /^['`"]\\?"(?:(\d+)|\$\{([^{}]+)\})\\?"['`"]$/.exec(text);
  const value = version?.[1] ?? version?.[2];
  if (value === undefined) throw new NotRewritable('the version in If-Match is not stated in the call');
  return value;
}
