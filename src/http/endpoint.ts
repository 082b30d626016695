/** What is neither a REST row nor GraphQL: payment events, which need the bytes they were signed over, and places browsers pass through. */
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../http-message.ts';
import type { HttpRoute } from './http-route.ts';

export interface Endpoint {
  /** The exact path; with a slash at its end, everything below it. */
  readonly path: string;
  readonly methods: readonly ('GET' | 'POST')[];
  handle(request: HttpRequest, createContext: () => Promise<Context>): HttpResponse | Promise<HttpResponse>;
}

export const endpointRoute = ({ path, methods, handle }: Endpoint): HttpRoute => ({
  path,
  async handle(request, { createContext }) {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (!methods.some((allowed) => allowed === method)) throw notAllowed(request.method, methods);
    return { response: await handle(request, () => createContext()) };
  },
});

const notAllowed = (method: string, methods: readonly string[]) =>
  new AppError('METHOD_NOT_ALLOWED', `${method} is not allowed here. Allowed: ${methods.join(', ')}.`, {
    headers: { allow: methods.join(', ') },
  });
