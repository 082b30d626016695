/** Whether a program reads headers of the response of a `fetch` call: `restFetch` returns status and body of REST, but not its headers. */
import { type CallExpression, Node, type Project, SyntaxKind } from 'ts-morph';

export const readsResponseHeaders = (call: CallExpression): boolean => isHeadersRead(call, new Set());

/** `node` is a response, or a promise of one. */
function isHeadersRead(node: Node, visited: Set<Node>): boolean {
  if (visited.has(node)) return false;
  visited.add(node);
  const parent = node.getParent();
  if (
    Node.isAwaitExpression(parent) ||
    Node.isParenthesizedExpression(parent) ||
    Node.isNonNullExpression(parent)
  )
    return isHeadersRead(parent, visited);
  if (Node.isPropertyAccessExpression(parent) && parent.getExpression() === node)
    return isHeadersReadByMember(parent.getName(), parent, visited);
  if (Node.isVariableDeclaration(parent)) return isHeadersReadByName(parent.getNameNode(), visited);
  // A statement of its own.
  if (Node.isExpressionStatement(parent)) return false;
  return readsAnyResponseHeaders(node);
}

function isHeadersReadByMember(name: string, access: Node, visited: Set<Node>): boolean {
  if (name === 'headers') return !isContentTypeRead(access);
  const call = access.getParent();
  if (!Node.isCallExpression(call)) return false;
  if (name === 'clone' || name === 'finally') return isHeadersRead(call, visited);
  if (name !== 'then') return name === 'catch' && isHeadersRead(call, visited);
  const [callback] = call.getArguments();
  if (!Node.isArrowFunction(callback) && !Node.isFunctionExpression(callback))
    return readsAnyResponseHeaders(access);
  const [parameter] = callback.getParameters();
  return parameter !== undefined && isHeadersReadByName(parameter.getNameNode(), visited);
}

/** `.headers.get('content-type')`, which is JSON for `restFetch`, too. */
function isContentTypeRead(headers: Node): boolean {
  const get = headers.getParent();
  const call = Node.isPropertyAccessExpression(get) && get.getName() === 'get' ? get.getParent() : undefined;
  const [name] = Node.isCallExpression(call) ? call.getArguments() : [];
  return Node.isStringLiteral(name) && name.getLiteralValue().toLowerCase() === 'content-type';
}

/** Name of a variable or parameter, or its destructuring pattern. */
function isHeadersReadByName(name: Node, visited: Set<Node>): boolean {
  if (Node.isObjectBindingPattern(name)) return /\bheaders\b/.test(name.getText());
  if (!Node.isIdentifier(name)) return readsAnyResponseHeaders(name);
  return name
    .findReferencesAsNodes()
    .filter((use) => use !== name)
    .some((use) => isHeadersRead(use, visited));
}

const readsByProject = new WeakMap<Project, boolean>();

/** For a response that is passed on: whether any part of the program reads headers of a response. */
function readsAnyResponseHeaders(node: Node): boolean {
  const project = node.getProject();
  const known = readsByProject.get(project);
  if (known !== undefined) return known;
  const reads = project
    .getSourceFiles()
    .filter((file) => !file.isDeclarationFile() && !file.isInNodeModules())
    .some((file) =>
      file
        .getDescendantsOfKind(SyntaxKind.PropertyAccessExpression)
        .some(
          (access) =>
            access.getName() === 'headers' &&
            isResponse(access.getExpression()) &&
            !isContentTypeRead(access),
        ),
    );
  readsByProject.set(project, reads);
  return reads;
}

/** A value of an unknown type may be a response, unless its name says that it is a request. */
function isResponse(node: Node): boolean {
  const type = node.getType().getNonNullableType();
  if (type.isAny() || type.isUnknown()) return !/req/i.test(node.getText());
  return type.getSymbol()?.getName() === 'Response';
}
