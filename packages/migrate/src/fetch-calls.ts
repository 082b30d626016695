/** Rewrites `fetch` of documented REST paths to `restFetch` with the operation of the route. */
import { type CallExpression, Node, type SourceFile, SyntaxKind } from 'ts-morph';
import { type Replacement, tryToPlan } from './migration-file.ts';
import { type Entry, NotRewritable, readEntries, unwrap } from './object-entries.ts';
import type { Finding } from './report.ts';
import { printRun, resultConversion } from './result-code.ts';
import { findRouteBySegments } from './route-table.ts';
import { mentionsRest, readUrl, type UrlParts, unescaped } from './url-parts.ts';
import { printVariables, quote } from './variables.ts';

export interface Plan {
  finding: Finding;
  replacement?: Replacement;
}

export const planFetchCalls = (file: SourceFile, root: string): Plan[] =>
  file.getDescendantsOfKind(SyntaxKind.CallExpression).flatMap((call) => {
    if (!isGlobalFetch(call)) return [];
    const [url] = call.getArguments();
    if (!Node.isExpression(url) || !couldBeRest(url)) return [];
    return [tryToPlan(call, root, () => planFetch(call, readUrl(url)))];
  });

/** URLs of other servers are not part of the report. */
function couldBeRest(url: Node): boolean {
  if (mentionsRest(url)) return true;
  const identifiers = Node.isIdentifier(url) ? [url] : url.getDescendantsOfKind(SyntaxKind.Identifier);
  return identifiers.some((identifier) =>
    identifier.getDefinitionNodes().some((node) => Node.isVariableDeclaration(node) && mentionsRest(node)),
  );
}

function isGlobalFetch(call: CallExpression): boolean {
  const callee = call.getExpression().getText();
  return callee === 'fetch' || callee === 'globalThis.fetch' || callee === 'window.fetch';
}

function planFetch(call: CallExpression, url: UrlParts | undefined): Replacement {
  if (!url) throw new NotRewritable('the path is not stated in the call');
  const init = readInit(call);
  const literals = url.segments.map((segment) =>
    typeof segment === 'string' ? decodeURIComponent(segment) : undefined,
  );
  const found = findRouteBySegments(init.method, literals);
  if (!found) throw new NotRewritable(`the contract has no such path for ${init.method}`);
  const { route, parameters } = found;
  assertUsesBodyAlone(call);
  const path = [...parameters].map(([name, index]): Entry => {
    const segment = url.segments[index];
    if (segment === undefined || typeof segment === 'string') {
      const literal = literals[index] ?? '';
      return { name, text: quote(literal), type: undefined as never, literal };
    }
    const value = unescaped(segment);
    return { name, text: value.getText(), type: value.getType() };
  });
  const variables = printVariables({ route, path, query: url.query, body: init.body, version: init.version });
  const run = printRun({ client: 'client', route, variables });
  return {
    node: call,
    text: `restFetch(${url.base}, ${init.options}, (client) => ${run})`,
    route,
    helpers: ['restFetch', resultConversion(route).helper],
  };
}

/** The response of `restFetch` has the status and body of REST, but not its headers. */
function assertUsesBodyAlone(call: CallExpression): void {
  const parent = call.getParent();
  const outer = Node.isAwaitExpression(parent) ? parent.getParent() : parent;
  const declaration = Node.isVariableDeclaration(outer) ? outer.getNameNode() : undefined;
  const uses = Node.isIdentifier(declaration) ? declaration.findReferencesAsNodes() : [];
  const readsHeaders =
    (Node.isObjectBindingPattern(declaration) && /\bheaders\b/.test(declaration.getText())) ||
    uses.some((use) => use.getParent()?.getText() === `${use.getText()}.headers`);
  if (readsHeaders) throw new NotRewritable('the program reads headers of the response');
}

const knownOptions = new Set(['method', 'headers', 'body', 'signal']);

function readInit(call: CallExpression) {
  const [, init] = call.getArguments();
  if (init === undefined) return { method: 'GET', options: '{}', body: undefined, version: undefined };
  const inner = Node.isExpression(init) ? unwrap(init) : undefined;
  if (!Node.isObjectLiteralExpression(inner))
    throw new NotRewritable('the options are not an object literal');
  const entries = readEntries(inner, 'the options');
  const unknown = [...entries.keys()].find((name) => !knownOptions.has(name));
  if (unknown !== undefined) throw new NotRewritable(`the option ${unknown} has no counterpart`);
  const method = entries.get('method');
  if (method && method.literal === undefined) throw new NotRewritable('the method is not a literal');
  const headers = readHeaders(inner.getProperty('headers'));
  const signal = entries.get('signal');
  const options = [
    ...(headers.text === undefined
      ? []
      : [headers.text === 'headers' ? 'headers' : `headers: ${headers.text}`]),
    ...(signal ? [signal.text === 'signal' ? 'signal' : `signal: ${signal.text}`] : []),
  ];
  return {
    method: method?.literal?.toUpperCase() ?? 'GET',
    options: options.length > 0 ? `{ ${options.join(', ')} }` : '{}',
    body: readBody(inner.getProperty('body')),
    version: headers.version,
  };
}

function initializerOf(property: Node | undefined) {
  if (Node.isPropertyAssignment(property)) return property.getInitializerOrThrow();
  return Node.isShorthandPropertyAssignment(property) ? property.getNameNode() : undefined;
}

/** `JSON.stringify(…)`. */
function readBody(property: Node | undefined) {
  const value = initializerOf(property);
  if (!value) return undefined;
  const inner = unwrap(value);
  const [argument] = Node.isCallExpression(inner) ? inner.getArguments() : [];
  if (
    !Node.isCallExpression(inner) ||
    inner.getExpression().getText() !== 'JSON.stringify' ||
    !Node.isExpression(argument)
  )
    throw new NotRewritable('the body is not JSON.stringify(…) in the call');
  return argument;
}

/** Headers are passed on, except those that apply to the body or become variables. */
export function readHeaders(property: Node | undefined): { text: string | undefined; version?: string } {
  const value = initializerOf(property);
  if (!value) return { text: undefined };
  const inner = unwrap(value);
  if (!Node.isObjectLiteralExpression(inner)) return { text: value.getText() };
  let version: string | undefined;
  const remaining: string[] = [];
  for (const entry of inner.getProperties()) {
    const name = Node.isPropertyAssignment(entry) ? entry.getName().replace(/['"]/g, '').toLowerCase() : '';
    if (name === 'content-type' || name === 'accept') continue;
    if (name === 'x-duet-version' || name.startsWith('if-none') || name.startsWith('if-modified'))
      throw new NotRewritable(`the header ${name} applies to REST alone`);
    if (name === 'if-match') version = readVersion(initializerOf(entry)?.getText() ?? '');
    else remaining.push(entry.getText());
  }
  const text = remaining.length > 0 ? `{ ${remaining.join(', ')} }` : undefined;
  return version === undefined ? { text } : { text, version };
}

/** Version in the text of an `If-Match` value, such as '"3"' or `"${product.version}"`. */
export function readVersion(text: string): string {
  const version = /^['`"]\\?"(?:(\d+)|\$\{([^{}]+)\})\\?"['`"]$/.exec(text);
  const value = version?.[1] ?? version?.[2];
  if (value === undefined) throw new NotRewritable('the version in If-Match is not stated in the call');
  return value;
}
