/** Finds the row of a path: a tree of segments, built once. */
import type { RestRoute } from './route.ts';

interface Node {
  literals: Map<string, Node>;
  parameter: Node | undefined;
  rows: Map<string, { row: RestRoute; names: string[] }>;
}

export interface RouteMatch {
  route: RestRoute;
  path: Record<string, string>;
}

export interface RouteMatcher {
  /** The row, or the methods the path does have, or undefined when there is no such path. */
  match(method: string, path: string): RouteMatch | { allow: string[] } | undefined;
}

export function createRouteMatcher(rows: readonly RestRoute[]): RouteMatcher {
  const root = emptyNode();
  for (const row of rows) {
    let node = root;
    const names: string[] = [];
    for (const segment of row.path.split('/').slice(1)) {
      node = segment.startsWith(':') ? parameterOf(node) : literalOf(node, segment);
      if (segment.startsWith(':')) names.push(segment.slice(1));
    }
    if (node.rows.has(row.method)) throw new Error(`Two rows for ${row.method} ${row.path}.`);
    node.rows.set(row.method, { row, names });
  }
  return {
    match(method, path) {
      const segments = path.split('/');
      if (segments.at(-1) === '') segments.pop();
      const first = straight(root, segments);
      const row = first?.node.rows.get(method);
      if (first && row) return { route: row.row, path: named(row.names, first.values) };
      const candidates: Candidate[] = [];
      find(root, segments, 1, [], candidates);
      for (const { node, values } of candidates) {
        const hit = node.rows.get(method);
        if (hit) return { route: hit.row, path: named(hit.names, values) };
      }
      const allow = [...new Set(candidates.flatMap(({ node }) => [...node.rows.keys()]))];
      return allow.length > 0 ? { allow } : undefined;
    },
  };
}

function named(names: readonly string[], values: readonly string[]): Record<string, string> {
  const path: Record<string, string> = {};
  for (const [index, name] of names.entries()) path[name] = values[index] ?? '';
  return path;
}

const emptyNode = (): Node => ({ literals: new Map(), parameter: undefined, rows: new Map() });

function literalOf(node: Node, segment: string): Node {
  const next = node.literals.get(segment) ?? emptyNode();
  node.literals.set(segment, next);
  return next;
}

function parameterOf(node: Node): Node {
  node.parameter ??= emptyNode();
  return node.parameter;
}

interface Candidate {
  node: Node;
  values: readonly string[];
}

/** The first candidate of most paths: no way that a literal led into was a dead end. */
function straight(root: Node, segments: readonly string[]): Candidate | undefined {
  const values: string[] = [];
  let node = root;
  for (let at = 1; at < segments.length; at += 1) {
    const segment = segments[at] ?? '';
    const literal = node.literals.get(segment);
    const decoded = literal ? undefined : node.parameter && decode(segment);
    if (decoded) values.push(decoded);
    const next = literal ?? (decoded ? node.parameter : undefined);
    if (!next) return undefined;
    node = next;
  }
  return { node, values };
}

/** Literal segments come before parameters: `/orders/update` is not the order called "update". */
function find(
  node: Node,
  segments: readonly string[],
  at: number,
  values: readonly string[],
  found: Candidate[],
): void {
  const segment = segments[at];
  if (segment === undefined) {
    if (node.rows.size > 0) found.push({ node, values });
    return;
  }
  const literal = node.literals.get(segment);
  if (literal) find(literal, segments, at + 1, values, found);
  const decoded = node.parameter && decode(segment);
  if (node.parameter && decoded) find(node.parameter, segments, at + 1, [...values, decoded], found);
}

/** Longer than any id, slug or slug triple. */
const maxLength = 600;

/** Undefined: nothing can have this name, so there is no such path. */
function decode(segment: string): string | undefined {
  if (segment.length > 3 * maxLength) return undefined;
  if (!segment.includes('%')) return possible(segment);
  try {
    return possible(decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}

const possible = (value: string) => (value.length > maxLength || hasControls(value) ? undefined : value);

/** Control characters, of which PostgreSQL refuses NUL, are in no name. Quicker than `\p{Cc}`. */
function hasControls(value: string): boolean {
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if (code < 0x20 || (code > 0x7e && code < 0xa0)) return true;
  }
  return false;
}
