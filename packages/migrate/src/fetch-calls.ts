/** Rewrites `fetch` of documented REST paths to `restFetch` with the operation of the route. */
import { type CallExpression, type Expression, Node, type SourceFile, SyntaxKind } from 'ts-morph';
import { assertVersionIsStated, readHeaders } from './headers.ts';
import { type Plan, type Replacement, tryToPlan } from './migration-file.ts';
import {
  type Entry,
  NotRewritable,
  printProperty,
  readEntries,
  readObject,
  readProperty,
  unwrap,
} from './object-entries.ts';
import { readsResponseHeaders } from './response-headers.ts';
import { printRun, resultConversion } from './result-code.ts';
import { findRouteBySegments } from './route-table.ts';
import { isRestUrl, readUrl, type UrlParts, unescaped } from './url-parts.ts';
import { printVariables, quote } from './variables.ts';

export const planFetchCalls = (file: SourceFile, root: string): Plan[] =>
  file.getDescendantsOfKind(SyntaxKind.CallExpression).flatMap((call) => {
    if (!isFetch(call)) return [];
    const [url] = call.getArguments();
    // URLs of other servers are not part of the report.
    if (!Node.isExpression(url) || !isRestUrl(url)) return [];
    return [tryToPlan(call, root, () => planFetch(call, readUrl(url)))];
  });

function isFetch(call: CallExpression): boolean {
  const callee = call.getExpression().getText();
  return callee === 'fetch' || callee === 'globalThis.fetch' || callee === 'window.fetch';
}

/** A parameter or an import may send other headers than the global function. */
function assertGlobal(callee: Expression): void {
  const definitions = Node.isIdentifier(callee) ? callee.getDefinitionNodes() : [];
  if (definitions.some((node) => !node.getSourceFile().isDeclarationFile() || Node.isImportSpecifier(node)))
    throw new NotRewritable('`fetch` is not the global function here');
}

function planFetch(call: CallExpression, url: UrlParts | undefined): Replacement {
  assertGlobal(call.getExpression());
  if (!url) throw new NotRewritable('the path is not stated in the call');
  const init = readInit(call);
  const literals = url.segments.map((segment) =>
    typeof segment === 'string' ? decodeURIComponent(segment) : undefined,
  );
  const found = findRouteBySegments(init.method, literals);
  if (!found) throw new NotRewritable(`the contract has no such path for ${init.method}`);
  const { route, parameters } = found;
  if (readsResponseHeaders(call)) throw new NotRewritable('the program reads headers of the response');
  assertVersionIsStated(route, init.headers);
  const path = [...parameters].map(([name, index]): Entry => {
    const segment = url.segments[index];
    if (segment === undefined || typeof segment === 'string') {
      const literal = literals[index] ?? '';
      return { name, text: quote(literal), type: undefined as never, literal };
    }
    const value = unescaped(segment);
    return { name, text: value.getText(), type: value.getType() };
  });
  const variables = printVariables({
    route,
    path,
    query: url.query,
    body: init.body,
    version: init.headers.version,
  });
  const run = printRun({ client: 'client', route, variables });
  return {
    node: call,
    text: `restFetch(${url.base}, ${init.options}, (client) => ${run})`,
    route,
    helpers: ['restFetch', resultConversion(route).helper],
  };
}

const knownOptions = new Set(['method', 'headers', 'body', 'signal']);

function readInit(call: CallExpression) {
  const init = readObject(call.getArguments()[1], 'the options are');
  if (!init) return { method: 'GET', options: '{}', body: undefined, headers: readHeaders(undefined) };
  const entries = readEntries(init, 'the options');
  const unknown = [...entries.keys()].find((name) => !knownOptions.has(name));
  if (unknown !== undefined) throw new NotRewritable(`the option ${unknown} has no counterpart`);
  const method = entries.get('method');
  if (method && method.literal === undefined) throw new NotRewritable('the method is not a literal');
  const headers = readHeaders(readProperty(init, 'headers'));
  const signal = entries.get('signal');
  const options = [
    ...(headers.text === undefined ? [] : [printProperty('headers', headers.text)]),
    ...(signal ? [printProperty('signal', signal.text)] : []),
  ];
  return {
    method: method?.literal?.toUpperCase() ?? 'GET',
    options: options.length > 0 ? `{ ${options.join(', ')} }` : '{}',
    body: readBody(readProperty(init, 'body')),
    headers,
  };
}

/** `JSON.stringify(…)`. */
function readBody(value: Expression | undefined) {
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
