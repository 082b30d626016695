/** Network of Relay that reads results in parts: `@defer`, `@stream` and `@stream_connection`. */
import {
  type GraphQLResponse,
  type GraphQLSingularResponse,
  Observable,
  type Variables,
} from 'relay-runtime';

interface Part {
  path: (string | number)[];
  data?: unknown;
  /** Items of a list; the path ends with the index of the first one. */
  items?: unknown[] | null;
}

/** One result: the first one has `data`, those that follow have parts. */
interface Result {
  data?: unknown;
  incremental?: Part[];
  hasNext?: boolean;
}

/** Relay shows each response when it arrives, and the query or mutation is complete after the last one. */
export const fetchInParts = (
  url: string,
  headers: Record<string, string>,
  query: string | null,
  variables: Variables,
): Observable<GraphQLResponse> =>
  Observable.create((sink) => {
    const aborter = new AbortController();
    const read = async () => {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          accept: 'multipart/mixed, application/json',
        },
        body: JSON.stringify({ query, variables }),
        signal: aborter.signal,
      });
      if (response.headers.get('content-type')?.startsWith('multipart/mixed'))
        for await (const result of readParts(response)) sink.next(toRelayResponse(result));
      else sink.next((await response.json()) as GraphQLResponse);
    };
    read().then(() => sink.complete(), sink.error);
    return () => aborter.abort();
  });

async function* readParts(response: Response): AsyncGenerator<Result> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const parts = text.split('\r\n---');
    text = parts.pop() ?? '';
    for (const part of parts) if (part.trim() !== '') yield JSON.parse(part.slice(part.indexOf('\r\n\r\n')));
  }
}

/** Relay takes one response for each deferred fragment and each streamed item. `data` is null in a last result without parts. */
export function toRelayResponse({ incremental, hasNext, ...first }: Result): GraphQLResponse {
  const responses = incremental?.flatMap(({ items, path, ...part }) =>
    items
      ? items.map((data, index) => ({
          ...part,
          data,
          path: [...path.slice(0, -1), Number(path.at(-1)) + index],
        }))
      : [{ ...part, path }],
  ) ?? [{ data: null, ...first }];
  return responses.map((response, index) => ({
    ...response,
    extensions: { is_final: !hasNext && index === responses.length - 1 },
  })) as GraphQLSingularResponse[];
}
