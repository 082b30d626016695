/** Where requests end, by path: endpoints, pages, the two voices, and what operators and clients look up. */
import type { Context, RequestFacts } from '../context.ts';
import type { HttpRequest, HttpResponse } from '../http-message.ts';

export interface HttpRouteResult {
  response: HttpResponse;
  /** For the log: the REST row or the GraphQL operation; the path of the place when there is nothing to add. */
  route?: string | undefined;
  /** For metrics, when it is not the route: callers make up the names of their own operations. */
  operation?: string | undefined;
  /** The code of the error, if it is one. */
  code?: string | undefined;
}

/** A request on its way: its facts, and the context that is made when somebody needs to know who asks. */
export interface HttpCall {
  readonly facts: RequestFacts;
  createContext(gone?: AbortSignal): Promise<Context>;
}

export interface HttpRoute {
  /** The exact path; with a slash at its end, everything below it. */
  readonly path: string;
  /** Undefined: the next place with this path is asked. */
  handle(
    request: HttpRequest,
    call: HttpCall,
  ): HttpRouteResult | undefined | Promise<HttpRouteResult | undefined>;
}

/** Asks the places of a path in their order, exact ones first; undefined when none of them answers. */
export function createHttpRouter(places: readonly HttpRoute[]) {
  const exact = new Map<string, HttpRoute[]>();
  const below: HttpRoute[] = [];
  for (const place of places) {
    if (place.path.endsWith('/') && place.path !== '/') below.push(place);
    else exact.set(place.path, [...(exact.get(place.path) ?? []), place]);
  }
  for (const here of exact.values()) here.push(...below);
  return async (request: HttpRequest, call: HttpCall): Promise<HttpRouteResult | undefined> => {
    for (const place of exact.get(request.path) ?? below) {
      if (!request.path.startsWith(place.path)) continue;
      const given = place.handle(request, call);
      const answer = given instanceof Promise ? await given : given;
      // A row that is none has a route, too: nothing.
      if (answer) return 'route' in answer ? answer : { ...answer, route: place.path };
    }
    return undefined;
  };
}
