/** Where requests end, by path: endpoints, pages, the two voices, and what operators and clients look up. */
import type { Context, RequestFacts } from '../context.ts';
import type { HttpRequest, HttpResponse } from '../message.ts';

export interface Answer {
  response: HttpResponse;
  /** For the log: the REST row or the GraphQL operation; the path of the place when there is nothing to add. */
  route?: string | undefined;
  /** For metrics, when it is not the route: callers make up the names of their own operations. */
  operation?: string | undefined;
  /** The code of the error, if it is one. */
  code?: string | undefined;
}

/** A request on its way: its facts, and the context that is made when somebody needs to know who asks. */
export interface Call {
  readonly facts: RequestFacts;
  createContext(gone?: AbortSignal): Promise<Context>;
}

export interface Place {
  /** The exact path; with a slash at its end, everything below it. */
  readonly path: string;
  /** Undefined: the next place with this path is asked. */
  answer(request: HttpRequest, call: Call): Answer | undefined | Promise<Answer | undefined>;
}

/** Asks the places of a path in their order, exact ones first; undefined when none of them answers. */
export function createPlaces(places: readonly Place[]) {
  const exact = new Map<string, Place[]>();
  const below: Place[] = [];
  for (const place of places) {
    if (place.path.endsWith('/') && place.path !== '/') below.push(place);
    else exact.set(place.path, [...(exact.get(place.path) ?? []), place]);
  }
  for (const here of exact.values()) here.push(...below);
  return async (request: HttpRequest, call: Call): Promise<Answer | undefined> => {
    for (const place of exact.get(request.path) ?? below) {
      if (!request.path.startsWith(place.path)) continue;
      const given = place.answer(request, call);
      const answer = given instanceof Promise ? await given : given;
      // A row that is none has a route, too: nothing.
      if (answer) return 'route' in answer ? answer : { ...answer, route: place.path };
    }
    return undefined;
  };
}
