/** Routes of the REST API as the codemod looks them up: by operation id, and by method and path. */
import { type MigrationRoute, routes } from './generated/routes.ts';

export type { MigrationRoute, QueryParameter } from './generated/routes.ts';

const byOperationId = new Map(routes.map((route) => [route.operationId, route]));

export const findRouteByName = (operationId: string): MigrationRoute | undefined =>
  byOperationId.get(operationId);

/** `path` is that of the contract, such as `/v1/businesses/{businessId}/products`. */
export const findRouteByPath = (method: string, path: string): MigrationRoute | undefined =>
  routes.find((route) => route.method === method && route.path === path);

/** A segment of a path in source code: its text, or undefined for an expression. */
export type PathSegment = string | undefined;

export interface RouteWithParameters {
  route: MigrationRoute;
  /** Index of the segment by path parameter. */
  parameters: ReadonlyMap<string, number>;
}

/** Literal segments take precedence over parameters, like in the gateway. */
export function findRouteBySegments(
  method: string,
  segments: readonly PathSegment[],
): RouteWithParameters | undefined {
  const matches = routes.flatMap((route) => {
    const pattern = route.path.split('/').slice(1);
    const isMatch =
      route.method === method &&
      pattern.length === segments.length &&
      pattern.every((part, index) =>
        segments[index] === undefined
          ? part.startsWith('{')
          : part.startsWith('{') || part === segments[index],
      );
    return isMatch ? [{ route, pattern }] : [];
  });
  const parameterCount = (pattern: readonly string[]) =>
    pattern.filter((part) => part.startsWith('{')).length;
  const [best] = matches.sort((a, b) => parameterCount(a.pattern) - parameterCount(b.pattern));
  if (!best) return undefined;
  const parameters = best.pattern.flatMap((part, index) =>
    part.startsWith('{') ? [[part.slice(1, -1), index] as const] : [],
  );
  return { route: best.route, parameters: new Map(parameters) };
}
