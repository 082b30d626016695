/** Mock gateway for tests: `msw` handlers that respond with the examples of the contract. */
import { type HttpHandler, HttpResponse, http } from 'msw';
import { failureOf, type Refused, rootOf } from '../../common/mocks.ts';
import { type Document, documentIdOf } from './document.ts';
import { answers, refreshed } from './generated/answers.ts';
import * as operations from './generated/operations.ts';

export type { Refused } from '../../common/mocks.ts';
/** Default response of each stored operation. */
export { answers };

interface GraphqlRequest {
  query?: string;
  documentId?: string;
  variables?: unknown;
}

/** Name of the first operation in a text. Prefers a keyword at the start of a line, because fields may be named `query` too. */
const operationName = (text = ''): string | undefined =>
  [/^(?:query|mutation|subscription)\s+(\w+)/m, /[\s}](?:query|mutation|subscription)\s+(\w+)/]
    .map((pattern) => pattern.exec(text)?.[1])
    .find((name) => name !== undefined);

const isRequestFor = async (
  document: Document<never, never>,
  { query, documentId }: GraphqlRequest,
): Promise<boolean> => {
  if (documentId !== undefined) return documentId === (await documentIdOf(document));
  const text = document.toString();
  return (
    query === text || (operationName(text) !== undefined && operationName(query) === operationName(text))
  );
};

/** Passes the request to the next handler if `resolve` returns undefined. */
const createHandler = (url: string, resolve: (request: GraphqlRequest) => unknown): HttpHandler =>
  http.post(`${rootOf(url)}/graphql`, async ({ request }) => {
    const response = await resolve((await request.clone().json()) as GraphqlRequest);
    if (response === undefined) return undefined;
    const isStream = request.headers.get('accept') === 'text/event-stream';
    if (!isStream) return HttpResponse.json(response as object);
    const events = `event: next\ndata: ${JSON.stringify(response)}\n\nevent: complete\ndata:\n\n`;
    return new HttpResponse(events, { headers: { 'content-type': 'text/event-stream' } });
  });

/** Handler that responds to a document, stored or custom. Put it before `handlers`, or pass it to `server.use`. */
export const answering = <Result, Variables>(
  url: string,
  document: Document<Result, Variables>,
  answer: Result | ((variables: Variables) => Result | Promise<Result>),
): HttpHandler =>
  createHandler(url, async (request) => {
    if (!(await isRequestFor(document as never, request))) return undefined;
    return { data: await (answer instanceof Function ? answer(request.variables as Variables) : answer) };
  });

/** Handler that responds to a document with an error. */
export const refusing = <Result, Variables>(
  url: string,
  document: Document<Result, Variables>,
  refused: Refused,
): HttpHandler =>
  createHandler(url, async (request) =>
    (await isRequestFor(document as never, request)) ? errorResponse(refused) : undefined,
  );

/** Names of stored operations by id. Clients with trusted documents send only the id. */
async function namesById(): Promise<Map<string, string | undefined>> {
  const documents = Object.values(operations).filter(
    (exported) => exported instanceof operations.TypedDocumentString,
  );
  return new Map(
    await Promise.all(
      documents.map(
        async (document) => [await documentIdOf(document), operationName(document.toString())] as const,
      ),
    ),
  );
}

/** Handlers for all stored operations, with the examples of the contract. Any other document gets BAD_REQUEST. */
export const handlers = (url: string): HttpHandler[] => [
  createHandler(url, async ({ query, documentId }) => {
    const name = documentId === undefined ? operationName(query) : (await namesById()).get(documentId);
    if (name !== undefined && name in answers) return { data: answers[name as keyof typeof answers] };
    const label = name ?? documentId ?? 'without a name';
    const message = `The mocks have no operation ${label}: add its response with answering().`;
    return errorResponse({ code: 'BAD_REQUEST', message });
  }),
  http.post(`${rootOf(url)}/v1/users/refresh`, () => HttpResponse.json(refreshed)),
];

function errorResponse(refused: Refused) {
  const { message, ...extensions } = failureOf(refused);
  return { data: null, errors: [{ message, extensions }] };
}
