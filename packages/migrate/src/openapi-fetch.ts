/** Rewrites clients of openapi-fetch: `client.GET('/v1/…', {…})` runs the operation of the route. */
import { type CallExpression, type Expression, Node, type SourceFile, SyntaxKind, type Type } from 'ts-morph';
import { type Plan, readHeaders, readVersion } from './fetch-calls.ts';
import { describeNode, tryToPlan } from './migration-file.ts';
import { NotRewritable, readEntries, unwrap } from './object-entries.ts';
import { printRun, resultConversion } from './result-code.ts';
import { findRouteByPath } from './route-table.ts';
import { printVariables } from './variables.ts';

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

const isOpenApiClient = (type: Type): boolean =>
  (type.getAliasSymbol() ?? type.getSymbol())?.getName() === 'Client' &&
  ((type.getAliasSymbol() ?? type.getSymbol())?.getDeclarations() ?? []).some((node) =>
    /openapi-fetch\//.test(node.getSourceFile().getFilePath()),
  );

const importOf = (file: SourceFile) =>
  file.getImportDeclaration(
    (item) => item.getModuleSpecifierValue() === 'openapi-fetch' && !item.isTypeOnly(),
  );

export const usesOpenApiFetch = (file: SourceFile): boolean =>
  file.getImportDeclarations().some((item) => item.getModuleSpecifierValue() === 'openapi-fetch');

export function planOpenApiFetch(file: SourceFile, root: string): Plan[] {
  const name = importOf(file)?.getDefaultImport()?.getText();
  return file.getDescendantsOfKind(SyntaxKind.CallExpression).flatMap((call): Plan[] => {
    const callee = call.getExpression();
    if (name !== undefined && callee.getText() === name)
      return [tryToPlan(call, root, () => planClient(call))];
    if (!Node.isPropertyAccessExpression(callee) || !isOpenApiClient(callee.getExpression().getType()))
      return [];
    if (methods.has(callee.getName()))
      return [tryToPlan(call, root, () => planRequest(call, callee.getExpression(), callee.getName()))];
    const reason = `${callee.getName()} of openapi-fetch has no counterpart`;
    return [{ finding: { ...describeNode(call, root), reason } }];
  });
}

const clientOptions = new Set(['baseUrl', 'headers', 'fetch']);

function planClient(call: CallExpression) {
  const [options] = call.getArguments();
  const entries = Node.isExpression(options) ? readEntries(options, 'the options') : new Map();
  const unknown = [...entries.keys()].find((name) => !clientOptions.has(name));
  if (unknown !== undefined) throw new NotRewritable(`the option ${unknown} has no counterpart`);
  return {
    node: call,
    text: `createRestResultClient(${options?.getText() ?? '{}'})`,
    route: undefined,
    helpers: ['createRestResultClient'],
  };
}

function planRequest(call: CallExpression, client: Expression, method: string) {
  const [path, init] = call.getArguments();
  if (!Node.isStringLiteral(path) && !Node.isNoSubstitutionTemplateLiteral(path))
    throw new NotRewritable('the path is not a literal');
  const route = findRouteByPath(method, path.getLiteralText());
  if (!route) throw new NotRewritable(`the contract has no ${method} ${path.getLiteralText()}`);
  const object = Node.isExpression(init) ? unwrap(init) : undefined;
  if (init !== undefined && !Node.isObjectLiteralExpression(object))
    throw new NotRewritable('the options are not an object literal');
  const part = (owner: Expression | undefined, name: string): Expression | undefined => {
    const property = Node.isObjectLiteralExpression(owner) ? owner.getProperty(name) : undefined;
    if (Node.isPropertyAssignment(property)) return property.getInitializerOrThrow();
    return Node.isShorthandPropertyAssignment(property) ? property.getNameNode() : undefined;
  };
  const known = new Set(['params', 'body', 'headers', 'signal']);
  const names = Node.isObjectLiteralExpression(object) ? [...readEntries(object, 'the options').keys()] : [];
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) throw new NotRewritable(`the option ${unknown} has no counterpart`);
  const paramsExpression = part(object, 'params');
  const params = paramsExpression ? unwrap(paramsExpression) : undefined;
  if (params && !Node.isObjectLiteralExpression(params))
    throw new NotRewritable('`params` is not an object literal');
  const entriesOf = (name: string) => {
    const expression = part(params, name);
    return expression ? [...readEntries(expression, `\`${name}\``).values()] : [];
  };
  const headerEntries = entriesOf('header');
  const ifMatch = headerEntries.find(({ name }) => name.toLowerCase() === 'if-match');
  const otherHeaders = headerEntries.filter((entry) => entry !== ifMatch);
  const headers = readHeaders(
    Node.isObjectLiteralExpression(object) ? object.getProperty('headers') : undefined,
  );
  if (headers.text !== undefined && otherHeaders.length > 0)
    throw new NotRewritable('headers are set in two places');
  const headerText =
    headers.text ??
    (otherHeaders.length > 0
      ? `{ ${otherHeaders.map(({ name, text }) => `${JSON.stringify(name)}: ${text}`).join(', ')} }`
      : undefined);
  const signal = part(object, 'signal')?.getText();
  const options = [
    ...(headerText === undefined ? [] : [`headers: ${headerText}`]),
    ...(signal === undefined ? [] : [`signal: ${signal}`]),
  ];
  const variables = printVariables({
    route,
    path: entriesOf('path'),
    query: entriesOf('query'),
    body: part(object, 'body'),
    version: ifMatch ? readVersion(ifMatch.text) : headers.version,
  });
  const run = printRun({ client: 'graphql', route, variables });
  const args = [`(graphql) => ${run}`, ...(options.length > 0 ? [`{ ${options.join(', ')} }`] : [])];
  return {
    node: call,
    text: `${client.getText()}.send(${args.join(', ')})`,
    route,
    helpers: [resultConversion(route).helper],
  };
}

/** Removes the import of openapi-fetch from a rewritten file, and imports of types that are no longer used. */
export function removeOpenApiImports(file: SourceFile): void {
  importOf(file)?.remove();
}
