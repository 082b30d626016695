/** Rewrites clients of openapi-fetch: `client.GET('/v1/…', {…})` runs the operation of the route. */
import { type CallExpression, type Expression, Node, type SourceFile, SyntaxKind, type Type } from 'ts-morph';
import { assertVersionIsStated, readHeaders, readVersion } from './headers.ts';
import { describeNode, type Plan, tryToPlan } from './migration-file.ts';
import {
  NotRewritable,
  printObject,
  printProperty,
  readEntries,
  readObject,
  readProperty,
} from './object-entries.ts';
import { printRun, resultConversion } from './result-code.ts';
import { findRouteByPath, type MigrationRoute } from './route-table.ts';
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
    return [{ node: call, finding: { ...describeNode(call, root), reason } }];
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
  const { variables, options } = readRequest(route, readObject(init, 'the options are'));
  const run = printRun({ client: 'graphql', route, variables });
  return {
    node: call,
    text: `${client.getText()}.send((graphql) => ${run}${options})`,
    route,
    helpers: [resultConversion(route).helper],
  };
}

const requestOptions = new Set(['params', 'body', 'headers', 'signal']);

/** Variables, and the text of the second argument of `send`. */
function readRequest(route: MigrationRoute, object: Expression | undefined) {
  const names = object ? [...readEntries(object, 'the options').keys()] : [];
  const unknown = names.find((name) => !requestOptions.has(name));
  if (unknown !== undefined) throw new NotRewritable(`the option ${unknown} has no counterpart`);
  const params = readObject(readProperty(object, 'params'), '`params` is');
  const entriesOf = (name: string) => {
    const expression = readProperty(params, name);
    return expression ? [...readEntries(expression, `\`${name}\``).values()] : [];
  };
  const headers = readHeaders(readProperty(object, 'headers'));
  assertVersionIsStated(route, headers);
  const parameters = entriesOf('header');
  const ifMatch = parameters.find(({ name }) => name.toLowerCase() === 'if-match');
  const others = parameters.filter((entry) => entry !== ifMatch);
  if (headers.text !== undefined && others.length > 0)
    throw new NotRewritable('headers are set in two places');
  const headerText = others.length > 0 ? printObject(others) : headers.text;
  const signal = readProperty(object, 'signal')?.getText();
  const options = [
    ...(headerText === undefined ? [] : [printProperty('headers', headerText)]),
    ...(signal === undefined ? [] : [printProperty('signal', signal)]),
  ];
  const variables = printVariables({
    route,
    path: entriesOf('path'),
    query: entriesOf('query'),
    body: readProperty(object, 'body'),
    version: ifMatch ? readVersion(ifMatch.text) : headers.version,
  });
  return { variables, options: options.length > 0 ? `, { ${options.join(', ')} }` : '' };
}

/** Removes the import of openapi-fetch from a rewritten file, and imports of types that are no longer used. */
export function removeOpenApiImports(file: SourceFile): void {
  importOf(file)?.remove();
}
