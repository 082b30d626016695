/** What is neither a REST row nor GraphQL: webhooks, which need the bytes they were signed over, and places browsers pass through. */

import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../message.ts';

type CreateContext = () => Promise<Context>;

export interface Endpoint {
  /** The exact path; with a slash at its end, everything below it. */
  readonly path: string;
  readonly methods: readonly ('GET' | 'POST')[];
  handle(request: HttpRequest, createContext: CreateContext): HttpResponse | Promise<HttpResponse>;
}

/** Undefined: no endpoint has this path. */
export function createEndpoints(endpoints: readonly Endpoint[]) {
  const exact = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));
  const below = endpoints.filter(({ path }) => path.endsWith('/'));
  return (
    request: HttpRequest,
  ): { path: string; answer(createContext: CreateContext): Promise<HttpResponse> } | undefined => {
    const found = exact.get(request.path) ?? below.find(({ path }) => request.path.startsWith(path));
    return (
      found && {
        path: found.path,
        async answer(createContext) {
          const method = request.method === 'HEAD' ? 'GET' : request.method;
          if (!found.methods.some((allowed) => allowed === method)) throw notAllowed(request.method, found);
          return found.handle(request, createContext);
        },
      }
    );
  };
}

const notAllowed = (method: string, { methods }: Endpoint) =>
  new AppError('METHOD_NOT_ALLOWED', `${method} is not allowed here. Allowed: ${methods.join(', ')}.`, {
    headers: { allow: methods.join(', ') },
  });
