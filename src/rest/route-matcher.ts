/** Finds the route of a path in a tree of path segments. */
import { findClosestName } from '../lib/text/closest-name.ts';
import type { RestRoute } from './route.ts';

interface SegmentNode {
  literals: Map<string, SegmentNode>;
  parameter: SegmentNode | undefined;
  /** By method. */
  routes: Map<string, { route: RestRoute; parameterNames: string[] }>;
}

interface RouteMatch {
  route: RestRoute;
  /** Decoded path parameters. */
  path: Record<string, string>;
}

interface RouteMatcher {
  /** The route, or the methods that the path supports, or undefined if there is no such path. */
  match(method: string, path: string): RouteMatch | { allow: string[] } | undefined;
  /** A path with a route that differs from the path in one misspelt segment; undefined if there is none. */
  suggest(path: string): string | undefined;
}

export function createRouteMatcher(routes: readonly RestRoute[]): RouteMatcher {
  const root = createNode();
  for (const route of routes) {
    let node = root;
    const parameterNames: string[] = [];
    for (const segment of route.path.split('/').slice(1)) {
      node = segment.startsWith(':') ? parameterOf(node) : literalOf(node, segment);
      if (segment.startsWith(':')) parameterNames.push(segment.slice(1));
    }
    if (node.routes.has(route.method)) throw new Error(`Two routes for ${route.method} ${route.path}.`);
    node.routes.set(route.method, { route, parameterNames });
  }
  return {
    match(method, path) {
      const segments = path.split('/');
      if (segments.at(-1) === '') segments.pop();
      const direct = matchDirectly(root, segments);
      const directRoute = direct?.node.routes.get(method);
      if (direct && directRoute) return toMatch(directRoute, direct.values);
      const candidates: Candidate[] = [];
      collectCandidates(root, segments, 1, [], candidates);
      for (const { node, values } of candidates) {
        const route = node.routes.get(method);
        if (route) return toMatch(route, values);
      }
      const allow = [...new Set(candidates.flatMap(({ node }) => [...node.routes.keys()]))];
      return allow.length > 0 ? { allow } : undefined;
    },
    suggest: (path) => suggestPath(root, path.split('/').slice(1)),
  };
}

/** Longer segments are ids. */
const maxLiteralLength = 40;

function suggestPath(root: SegmentNode, segments: readonly string[]): string | undefined {
  const suggested: string[] = [];
  let node = root;
  let corrections = 0;
  for (const segment of segments) {
    let literal: string | undefined = segment;
    if (!node.literals.has(segment) && !node.parameter) {
      if (segment.length > maxLiteralLength) return undefined;
      literal = findClosestName(segment, node.literals.keys(), 2);
      corrections += 1;
    }
    const next = literal === undefined ? undefined : (node.literals.get(literal) ?? node.parameter);
    if (!next || literal === undefined || corrections > 1) return undefined;
    suggested.push(literal);
    node = next;
  }
  return corrections === 1 && node.routes.size > 0 ? `/${suggested.join('/')}` : undefined;
}

function toMatch(
  { route, parameterNames }: { route: RestRoute; parameterNames: readonly string[] },
  values: readonly string[],
): RouteMatch {
  const path: Record<string, string> = {};
  for (const [index, name] of parameterNames.entries()) path[name] = values[index] ?? '';
  return { route, path };
}

const createNode = (): SegmentNode => ({ literals: new Map(), parameter: undefined, routes: new Map() });

function literalOf(node: SegmentNode, segment: string): SegmentNode {
  const next = node.literals.get(segment) ?? createNode();
  node.literals.set(segment, next);
  return next;
}

function parameterOf(node: SegmentNode): SegmentNode {
  node.parameter ??= createNode();
  return node.parameter;
}

interface Candidate {
  node: SegmentNode;
  values: readonly string[];
}

/** PERF: the first candidate without backtracking, which is correct for most paths. */
function matchDirectly(root: SegmentNode, segments: readonly string[]): Candidate | undefined {
  const values: string[] = [];
  let node = root;
  for (let index = 1; index < segments.length; index += 1) {
    const segment = segments[index] ?? '';
    const literal = node.literals.get(segment);
    const decoded = literal ? undefined : node.parameter && decode(segment);
    if (decoded) values.push(decoded);
    const next = literal ?? (decoded ? node.parameter : undefined);
    if (!next) return undefined;
    node = next;
  }
  return { node, values };
}

/** Literal segments take precedence over parameters: `/orders/update` is not the order with the id "update". */
function collectCandidates(
  node: SegmentNode,
  segments: readonly string[],
  index: number,
  values: readonly string[],
  candidates: Candidate[],
): void {
  const segment = segments[index];
  if (segment === undefined) {
    if (node.routes.size > 0) candidates.push({ node, values });
    return;
  }
  const literal = node.literals.get(segment);
  if (literal) collectCandidates(literal, segments, index + 1, values, candidates);
  const decoded = node.parameter && decode(segment);
  if (node.parameter && decoded)
    collectCandidates(node.parameter, segments, index + 1, [...values, decoded], candidates);
}

/** Longer than any id, slug or triple of slugs. */
const maxLength = 600;

/** Undefined: no record can have this id or slug. */
function decode(segment: string): string | undefined {
  if (segment.length > 3 * maxLength) return undefined;
  if (!segment.includes('%')) return validateSegment(segment);
  try {
    return validateSegment(decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}

const validateSegment = (value: string) =>
  value.length > maxLength || hasControlCharacters(value) ? undefined : value;

/** Ids and slugs contain no control characters; PostgreSQL rejects NUL. PERF: faster than `\p{Cc}`. */
function hasControlCharacters(value: string): boolean {
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    if (code < 0x20 || (code > 0x7e && code < 0xa0)) return true;
  }
  return false;
}
