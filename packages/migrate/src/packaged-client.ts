/** Rewrites calls of the packaged REST client, `client.api.ListProducts(…)` and `client.each('ListProducts', …)`. */
import { type CallExpression, type Expression, Node, type SourceFile, SyntaxKind, type Type } from 'ts-morph';
import { readVersion } from './headers.ts';
import { describeNode, type Plan, tryToPlan } from './migration-file.ts';
import { NotRewritable, printProperty, readEntries, readObject, readProperty } from './object-entries.ts';
import { graphqlPackage, restPackage } from './package-names.ts';
import { printRun, resultConversion } from './result-code.ts';
import { findRouteByName, type MigrationRoute } from './route-table.ts';
import { printVariables } from './variables.ts';

/** Exports of the REST client that the GraphQL client does not have. */
const restOnly = new Set(['Schemas', 'OperationName', 'RequestOf', 'AnswerOf', 'ListName', 'Api']);

const isRestClient = (type: Type): boolean =>
  type.getSymbol()?.getName() === 'Client' &&
  (type.getSymbol()?.getDeclarations() ?? []).some((node) =>
    /client-rest\//.test(node.getSourceFile().getFilePath()),
  );

export const usesPackagedClient = (file: SourceFile): boolean =>
  file.getImportDeclarations().some((item) => item.getModuleSpecifierValue() === restPackage);

/** `usesPaths`: a client of openapi-fetch stays, which may use the type `paths`. */
export const planPackagedClient = (file: SourceFile, root: string, usesPaths: boolean): Plan[] => [
  ...file.getDescendantsOfKind(SyntaxKind.CallExpression).flatMap((call) => planCall(call, root)),
  ...planImports(file, root, usesPaths),
];

function planCall(call: CallExpression, root: string): Plan[] {
  const callee = call.getExpression();
  if (!Node.isPropertyAccessExpression(callee)) return [];
  const owner = callee.getExpression();
  if (callee.getName() === 'each' && isRestClient(owner.getType()))
    return [tryToPlan(call, root, () => planEach(call, owner))];
  if (!Node.isPropertyAccessExpression(owner) || owner.getName() !== 'api') return [];
  if (!isRestClient(owner.getExpression().getType())) return [];
  return [tryToPlan(call, root, () => planRequest(call, owner.getExpression(), callee.getName()))];
}

function routeOf(name: string): MigrationRoute {
  const route = findRouteByName(name);
  if (!route) throw new NotRewritable(`the contract has no operation ${name}`);
  return route;
}

function planRequest(call: CallExpression, client: Expression, name: string) {
  const route = routeOf(name);
  const { variables, options } = readRequest(route, call.getArguments()[0]);
  return {
    node: call,
    text: printRun({ client: client.getText(), route, variables, options }),
    route,
    helpers: [resultConversion(route).helper],
  };
}

function planEach(call: CallExpression, client: Expression) {
  const [name, request] = call.getArguments();
  if (!Node.isStringLiteral(name)) throw new NotRewritable('the name of the list is not a literal');
  const route = routeOf(name.getLiteralValue());
  const { variables, options } = readRequest(route, request);
  const { select } = resultConversion(route);
  const args = [`${route.operation}Document`, variables, select, ...(options === undefined ? [] : [options])];
  return {
    node: call,
    text: `toRestItems(${client.getText()}.each(${args.join(', ')}))`,
    route,
    helpers: ['toRestItems'],
  };
}

/** Variables, and options of `run`: the REST client generates idempotency keys itself. */
function readRequest(route: MigrationRoute, request: Node | undefined) {
  const object = readObject(request, 'the request is');
  const entriesOf = (name: string) => {
    const expression = readProperty(object, name);
    return expression ? [...readEntries(expression, `\`${name}\``).values()] : [];
  };
  const headers = new Map(entriesOf('header').map((entry) => [entry.name.toLowerCase(), entry.text]));
  const key = headers.get('idempotency-key') ?? (route.isKeyed ? 'true' : undefined);
  const ifMatch = headers.get('if-match');
  const other = [...headers.keys()].find((name) => name !== 'idempotency-key' && name !== 'if-match');
  if (other !== undefined) throw new NotRewritable(`the header ${other} has no counterpart`);
  const signal = readProperty(object, 'signal')?.getText();
  const options = [
    ...(key === undefined ? [] : [`idempotencyKey: ${key}`]),
    ...(signal === undefined ? [] : [printProperty('signal', signal)]),
  ];
  const variables = printVariables({
    route,
    path: entriesOf('path'),
    query: entriesOf('query'),
    body: readProperty(object, 'body'),
    version: ifMatch === undefined ? undefined : readVersion(ifMatch),
  });
  return { variables, options: options.length > 0 ? `{ ${options.join(', ')} }` : undefined };
}

/** Imports move to the GraphQL client; uses of types that only the REST client has are left. */
function planImports(file: SourceFile, root: string, usesPaths: boolean): Plan[] {
  return file
    .getImportDeclarations()
    .filter((item) => item.getModuleSpecifierValue() === restPackage)
    .map((item) => {
      const missing = item
        .getNamedImports()
        .map((specifier) => specifier.getName())
        .filter((name) => restOnly.has(name) || (usesPaths && name === 'paths'));
      if (missing.length > 0)
        return {
          node: item,
          finding: {
            ...describeNode(item, root),
            reason: `the GraphQL client has no ${missing.join(', ')}: use the types of its documents`,
          },
        };
      const node = item.getModuleSpecifier();
      return {
        node: item,
        finding: { ...describeNode(item, root), operation: graphqlPackage },
        replacement: { node, text: `'${graphqlPackage}'`, route: undefined, helpers: [] },
      };
    });
}
