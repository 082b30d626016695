/** A gateway for tests, made of the examples in the contract: handlers for `msw`. */
import { type HttpHandler, HttpResponse, http } from 'msw';
import { failureOf, type Refused, rootOf } from '../../common/mocks.ts';
import { type Document, documentIdOf } from './document.ts';
import { answers, refreshed } from './generated/answers.ts';
import * as operations from './generated/operations.ts';

export type { Refused } from '../../common/mocks.ts';
/** What each stored operation answers unless told otherwise. */
export { answers };

interface Asked {
  query?: string;
  documentId?: string;
  variables?: unknown;
}

/** The name of the first operation in a text: at the start of a line, if any is, for fields may have such names too. */
const nameIn = (text = ''): string | undefined =>
  [/^(?:query|mutation|subscription)\s+(\w+)/m, /[\s}](?:query|mutation|subscription)\s+(\w+)/]
    .map((pattern) => pattern.exec(text)?.[1])
    .find((name) => name !== undefined);

const isFor = async (document: Document<never, never>, { query, documentId }: Asked): Promise<boolean> => {
  if (documentId !== undefined) return documentId === (await documentIdOf(document));
  const text = document.toString();
  return query === text || (nameIn(text) !== undefined && nameIn(query) === nameIn(text));
};

/** Asks on where the resolver has nothing to say. */
const handlerOf = (url: string, resolve: (asked: Asked) => unknown): HttpHandler =>
  http.post(`${rootOf(url)}/graphql`, async ({ request }) => {
    const found = await resolve((await request.clone().json()) as Asked);
    if (found === undefined) return undefined;
    const isStream = request.headers.get('accept') === 'text/event-stream';
    if (!isStream) return HttpResponse.json(found as object);
    const events = `event: next\ndata: ${JSON.stringify(found)}\n\nevent: complete\ndata:\n\n`;
    return new HttpResponse(events, { headers: { 'content-type': 'text/event-stream' } });
  });

/** One document, stored or your own, with an answer; put it before the others, or give it to `server.use`. */
export const answering = <Result, Variables>(
  url: string,
  document: Document<Result, Variables>,
  answer: Result | ((variables: Variables) => Result | Promise<Result>),
): HttpHandler =>
  handlerOf(url, async (asked) => {
    if (!(await isFor(document as never, asked))) return undefined;
    return { data: await (answer instanceof Function ? answer(asked.variables as Variables) : answer) };
  });

/** One document that is refused. */
export const refusing = <Result, Variables>(
  url: string,
  document: Document<Result, Variables>,
  refused: Refused,
): HttpHandler =>
  handlerOf(url, async (asked) => ((await isFor(document as never, asked)) ? refusal(refused) : undefined));

/** Names of stored operations by their ids, which is all that a client of trusted documents sends. */
async function namesById(): Promise<Map<string, string | undefined>> {
  const documents = Object.values(operations).filter((one) => one instanceof operations.TypedDocumentString);
  return new Map(
    await Promise.all(
      documents.map(async (one) => [await documentIdOf(one), nameIn(one.toString())] as const),
    ),
  );
}

/** Every stored operation, each with the examples of the contract. Any other document is refused with BAD_REQUEST. */
export const handlers = (url: string): HttpHandler[] => [
  handlerOf(url, async ({ query, documentId }) => {
    const name = documentId === undefined ? nameIn(query) : (await namesById()).get(documentId);
    if (name !== undefined && name in answers) return { data: answers[name as keyof typeof answers] };
    const asked = name ?? documentId ?? 'without a name';
    const message = `The mocks have no operation ${asked}: say with answering() what it gets.`;
    return refusal({ code: 'BAD_REQUEST', message });
  }),
  http.post(`${rootOf(url)}/v1/users/refresh`, () => HttpResponse.json(refreshed)),
];

function refusal(refused: Refused) {
  const { message, ...extensions } = failureOf(refused);
  return { data: null, errors: [{ message, extensions }] };
}
