/** A gateway for tests, made of the examples in the contract: handlers for `msw`. */
import { type HttpHandler, HttpResponse, http } from 'msw';
import { failureOf, type Refused, rootOf } from '../../common/mocks.ts';
import { answers, statuses } from './generated/answers.ts';
import { rows } from './generated/rows.ts';
import type { AnswerOf, OperationName } from './index.ts';

export type { Refused } from '../../common/mocks.ts';
/** What each row answers unless told otherwise. */
export { answers };

const methods = { GET: http.get, POST: http.post, PUT: http.put, DELETE: http.delete } as const;

const names = Object.keys(rows) as OperationName[];

type Resolver = Parameters<typeof http.get>[1];

function handlerOf(url: string, name: OperationName, resolver: Resolver): HttpHandler {
  const [method, path] = rows[name];
  return methods[method](`${rootOf(url)}${path.replace(/\{(\w+)\}/g, ':$1')}`, resolver);
}

/** One row with another answer; put it before the others, or give it to `server.use`. */
export const answering = <Name extends OperationName>(
  url: string,
  name: Name,
  answer: AnswerOf<Name> | ((request: Request) => AnswerOf<Name> | Promise<AnswerOf<Name>>),
): HttpHandler =>
  handlerOf(url, name, async ({ request }) =>
    HttpResponse.json((await (answer instanceof Function ? answer(request) : answer)) as object),
  );

/** One row that says no. */
export const refusing = (url: string, name: OperationName, refused: Refused): HttpHandler =>
  handlerOf(url, name, () => refusal(refused));

/** Every row, each with the example of the contract. What the contract does not know is refused with NOT_FOUND. */
export const handlers = (url: string): HttpHandler[] => [
  ...names
    // Where an address says `me`, no id is meant.
    .toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
    .map((name) => answering(url, name, answers[name] as never)),
  http.all(`${rootOf(url)}/v1/*`, ({ request }) =>
    refusal({
      code: 'NOT_FOUND',
      message: `The mocks have no row ${request.method} ${new URL(request.url).pathname}.`,
    }),
  ),
];

/** Parameters come last. */
const order = (name: OperationName): string => rows[name][1].replace(/\{\w+\}/g, '~');

function refusal(refused: Refused) {
  const { code, details, ...rest } = failureOf(refused);
  const validationErrors = details.map(({ field, error }) => ({ field, error }));
  return HttpResponse.json({ error: code, ...rest, details, validationErrors }, { status: statuses[code] });
}
