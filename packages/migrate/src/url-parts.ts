/** Splits the URL of a `fetch` call into gateway, path segments and query parameters, as far as the source code states them. */
import { type Expression, Node } from 'ts-morph';
import { type Entry, NotRewritable, readEntries, unwrap } from './object-entries.ts';
import { quote } from './variables.ts';

/** A piece of text, or an expression. */
type Piece = string | Expression;

export interface UrlParts {
  /** Expression of the gateway's URL. */
  base: string;
  segments: readonly Piece[];
  query: readonly Entry[];
}

/** The prefix of REST paths, which may end a constant: `https://shop.example/v1`. */
const hasPrefix = (piece: Piece): boolean => typeof piece === 'string' && /\/v1(?:\/|$)/.test(piece);

/** Whether the URL contains a REST path, in the call or in a constant. */
export const isRestUrl = (expression: Expression): boolean => toPieces(expression).some(hasPrefix);

/** Undefined: the URL is not that of a REST path. */
export function readUrl(expression: Expression): UrlParts | undefined {
  const pieces = mergeTexts(toPieces(expression));
  const pathIndex = pieces.findIndex((piece) => typeof piece === 'string' && piece.includes('/v1/'));
  if (pathIndex < 0) return undefined;
  const text = pieces[pathIndex] as string;
  const start = text.indexOf('/v1/');
  const base = printBase([...pieces.slice(0, pathIndex), text.slice(0, start)]);
  const [path, query] = splitQuery([text.slice(start), ...pieces.slice(pathIndex + 1)]);
  return { base, segments: toSegments(path), query: query.length > 0 ? toQuery(query) : [] };
}

function toPieces(expression: Expression): Piece[] {
  const inner = unwrap(expression);
  if (Node.isStringLiteral(inner) || Node.isNoSubstitutionTemplateLiteral(inner))
    return [inner.getLiteralText()];
  if (Node.isTemplateExpression(inner))
    return [
      inner.getHead().getLiteralText(),
      ...inner
        .getTemplateSpans()
        .flatMap((span) => [...toPieces(span.getExpression()), span.getLiteral().getLiteralText()]),
    ];
  if (Node.isBinaryExpression(inner) && inner.getOperatorToken().getText() === '+')
    return [...toPieces(inner.getLeft()), ...toPieces(inner.getRight())];
  const value = constantValue(inner);
  const pieces = value === inner ? [] : toPieces(value);
  return pieces.some(hasPrefix) ? pieces : [inner];
}

/** Value of a `const` of the same file, otherwise the expression itself. */
function constantValue(expression: Expression): Expression {
  if (!Node.isIdentifier(expression)) return expression;
  const [declaration] = expression.getDefinitionNodes();
  if (!Node.isVariableDeclaration(declaration)) return expression;
  const isConstant = declaration.getVariableStatement()?.getDeclarationKind() === 'const';
  const isSameFile = declaration.getSourceFile() === expression.getSourceFile();
  const value = isConstant && isSameFile ? declaration.getInitializer() : undefined;
  // A value that is modified later, such as with `query.set(…)`, is not stated in its declaration.
  const isRead = expression
    .findReferencesAsNodes()
    .every((use) => !Node.isPropertyAccessExpression(use.getParent()));
  return value && isRead ? unwrap(value) : expression;
}

const mergeTexts = (pieces: readonly Piece[]): Piece[] =>
  pieces.reduce<Piece[]>((merged, piece) => {
    const last = merged.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') merged[merged.length - 1] = last + piece;
    else merged.push(piece);
    return merged;
  }, []);

function printBase(pieces: readonly Piece[]): string {
  const parts = pieces.filter((piece) => piece !== '');
  const [only] = parts;
  if (only === undefined) return "''";
  if (typeof only === 'string' && parts.length === 1) return quote(only);
  if (typeof only !== 'string' && parts.length === 1 && only.getType().isString()) return only.getText();
  return `\`${parts.map((part) => (typeof part === 'string' ? part : `\${${part.getText()}}`)).join('')}\``;
}

function splitQuery(pieces: readonly Piece[]): [path: Piece[], query: Piece[]] {
  const index = pieces.findIndex((piece) => typeof piece === 'string' && piece.includes('?'));
  if (index < 0) return [[...pieces], []];
  const text = pieces[index] as string;
  const at = text.indexOf('?');
  return [
    [...pieces.slice(0, index), text.slice(0, at)],
    [text.slice(at + 1), ...pieces.slice(index + 1)],
  ];
}

/** Splits pieces at a separator in their texts. */
function splitPieces(pieces: readonly Piece[], separator: string): Piece[][] {
  const groups: Piece[][] = [[]];
  for (const piece of pieces) {
    const [first, ...others] = typeof piece === 'string' ? piece.split(separator) : [piece];
    groups.at(-1)?.push(first as Piece);
    for (const other of others) groups.push([other]);
  }
  return groups.map((group) => group.filter((piece) => piece !== ''));
}

function toSegments(pieces: readonly Piece[]): Piece[] {
  const [, ...groups] = splitPieces(pieces, '/');
  return groups.map((group) => {
    const [only = '', ...others] = group;
    if (others.length > 0) throw new NotRewritable('a path segment is composed of several expressions');
    return only;
  });
}

function toQuery(pieces: readonly Piece[]): Entry[] {
  const [only, ...others] = pieces.filter((piece) => piece !== '');
  if (only !== undefined && typeof only !== 'string' && others.length === 0) return searchParams(only);
  return splitPieces(pieces, '&').flatMap((group) => {
    if (group.length === 0) return [];
    const [name = '', value] = splitPieces(group, '=');
    const [nameText] = Array.isArray(name) ? name : [];
    if (typeof nameText !== 'string' || (value?.length ?? 0) > 1)
      throw new NotRewritable('the query is composed of expressions');
    const [valuePiece = ''] = value ?? [];
    return [toEntry(decodeURIComponent(nameText), valuePiece)];
  });
}

function toEntry(name: string, piece: Piece): Entry {
  if (typeof piece === 'string') {
    const literal = decodeURIComponent(piece.replaceAll('+', ' '));
    return { name, text: quote(literal), type: undefined as never, literal };
  }
  const value = unescaped(piece);
  return { name, text: value.getText(), type: value.getType() };
}

/** The expression without `encodeURIComponent`. */
export function unescaped(expression: Expression): Expression {
  const inner = unwrap(expression);
  if (
    !Node.isCallExpression(inner) ||
    !/^(encodeURIComponent|encodeURI|String)$/.test(inner.getExpression().getText())
  )
    return inner;
  const [argument] = inner.getArguments();
  return Node.isExpression(argument) ? unescaped(argument) : inner;
}

/** `new URLSearchParams({…})`, or a constant with this value. */
function searchParams(expression: Expression): Entry[] {
  const inner = constantValue(unescaped(expression));
  const [argument] = Node.isNewExpression(inner) ? inner.getArguments() : [];
  if (
    !Node.isNewExpression(inner) ||
    inner.getExpression().getText() !== 'URLSearchParams' ||
    !Node.isExpression(argument)
  )
    throw new NotRewritable('the query is not stated in the call');
  return [...readEntries(argument, 'the query').values()].map((entry) =>
    entry.node && entry.literal === undefined ? toEntry(entry.name, entry.node) : entry,
  );
}
