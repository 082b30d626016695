/** Mock gateway for tests: `msw` handlers that respond with the examples of the contract. */
import { type HttpHandler, HttpResponse, http } from 'msw';
import { failureOf, type Refused, rootOf } from '../../common/mocks.ts';
import { answers, statuses } from './generated/answers.ts';
import { routes } from './generated/routes.ts';
import type { AnswerOf, OperationName } from './index.ts';

export type { Refused } from '../../common/mocks.ts';
/** Default response of each route. */
export { answers };

const methods = {
  GET: http.get,
  POST: http.post,
  PUT: http.put,
  PATCH: http.patch,
  DELETE: http.delete,
} as const;

const names = Object.keys(routes) as OperationName[];

type Resolver = Parameters<typeof http.get>[1];

function createHandler(url: string, name: OperationName, resolver: Resolver): HttpHandler {
  const [method, path] = routes[name];
  return methods[method](`${rootOf(url)}${path.replace(/\{(\w+)\}/g, ':$1')}`, resolver);
}

/** Handler that responds to a route. Put it before `handlers`, or pass it to `server.use`. */
export const answering = <Name extends OperationName>(
  url: string,
  name: Name,
  answer: AnswerOf<Name> | ((request: Request) => AnswerOf<Name> | Promise<AnswerOf<Name>>),
): HttpHandler =>
  createHandler(url, name, async ({ request }) =>
    HttpResponse.json((await (answer instanceof Function ? answer(request) : answer)) as object),
  );

/** Handler that responds to a route with an error. */
export const refusing = (url: string, name: OperationName, refused: Refused): HttpHandler =>
  createHandler(url, name, () => errorResponse(refused));

/** Handlers for all routes, with the examples of the contract. Any other request gets NOT_FOUND. */
export const handlers = (url: string): HttpHandler[] => [
  ...names
    // Literal segments such as `me` before parameters: msw uses the first handler that matches.
    .toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
    .map((name) => answering(url, name, answers[name] as never)),
  http.all(`${rootOf(url)}/v1/*`, ({ request }) =>
    errorResponse({
      code: 'NOT_FOUND',
      message: `The mocks have no route ${request.method} ${new URL(request.url).pathname}.`,
    }),
  ),
];

/** Sorts parameters after literal segments. */
const sortKey = (name: OperationName): string => routes[name][1].replace(/\{\w+\}/g, '~');

function errorResponse(refused: Refused) {
  const { code, details, ...rest } = failureOf(refused);
  const validationErrors = details.map(({ field, error }) => ({ field, error }));
  return HttpResponse.json({ error: code, ...rest, details, validationErrors }, { status: statuses[code] });
}
