/** HTTP route type and the router that selects a route by path. */
import type { Context, RequestFacts } from '../context.ts';
import type { HttpRequest, HttpResponse } from '../http-message.ts';

export interface HttpRouteResult {
  response: HttpResponse;
  /** For the log: the REST route or the GraphQL operation. Defaults to the path of the route. */
  route?: string | undefined;
  /** Metric label, when it differs from `route`: clients choose operation names freely, which would make the label unbounded. */
  operation?: string | undefined;
  /** Error code, if the response is an error. */
  code?: string | undefined;
  /** Set for a response that is sent while its operation is executed: resolves at the end of the execution. */
  executed?: Promise<void> | undefined;
}

/** A request in progress: its facts, and its context, which is created (and the caller authenticated) on demand. */
export interface HttpRequestInProgress {
  readonly facts: RequestFacts;
  createContext(abortSignal?: AbortSignal): Promise<Context>;
}

export interface HttpRoute {
  /** Exact path; with a trailing slash, every path below it. */
  readonly path: string;
  /** Undefined: the router tries the next route that matches the path. */
  handle(
    request: HttpRequest,
    call: HttpRequestInProgress,
  ): HttpRouteResult | undefined | Promise<HttpRouteResult | undefined>;
}

/** Tries the routes that match a path in their order, exact paths first; undefined when none of them handles the request. */
export function createHttpRouter(routes: readonly HttpRoute[]) {
  const exactRoutes = new Map<string, HttpRoute[]>();
  const prefixRoutes: HttpRoute[] = [];
  for (const route of routes) {
    if (route.path.endsWith('/') && route.path !== '/') prefixRoutes.push(route);
    else exactRoutes.set(route.path, [...(exactRoutes.get(route.path) ?? []), route]);
  }
  for (const candidates of exactRoutes.values()) candidates.push(...prefixRoutes);
  return async (request: HttpRequest, call: HttpRequestInProgress): Promise<HttpRouteResult | undefined> => {
    for (const route of exactRoutes.get(request.path) ?? prefixRoutes) {
      if (!request.path.startsWith(route.path)) continue;
      const pending = route.handle(request, call);
      const result = pending instanceof Promise ? await pending : pending;
      // A result may set `route: undefined`, for a path below /v1/ that matches no REST route.
      if (result) return 'route' in result ? result : { ...result, route: route.path };
    }
    return undefined;
  };
}
