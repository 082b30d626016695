/** HTTP route of an endpoint outside REST and GraphQL: payment webhooks, which need the raw signed bytes, and paths that browsers open. */
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../http-message.ts';
import type { HttpRoute } from './http-route-types.ts';

export interface Endpoint {
  /** Exact path; with a trailing slash, every path below it. */
  readonly path: string;
  readonly methods: readonly ('GET' | 'POST')[];
  handle(request: HttpRequest, createContext: () => Promise<Context>): HttpResponse | Promise<HttpResponse>;
}

export const createEndpointRoute = ({ path, methods, handle }: Endpoint): HttpRoute => ({
  path,
  async handle(request, { createContext }) {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (!methods.some((allowed) => allowed === method)) throw methodNotAllowedError(request.method, methods);
    return { response: await handle(request, () => createContext()) };
  },
});

const methodNotAllowedError = (method: string, methods: readonly string[]) =>
  new AppError('METHOD_NOT_ALLOWED', `${method} is not allowed here. Allowed: ${methods.join(', ')}.`, {
    headers: { allow: methods.join(', ') },
  });
