/** Reads results in parts as clients do, and merges them into one response. */
import type { Person, TestApp } from '../../support/app.ts';
import { readEventStream } from '../../support/sse-client.ts';

export interface Part {
  data?: unknown;
  items?: unknown[] | null;
  path?: (string | number)[];
  label?: string;
  errors?: ResponseError[];
}

export interface ResponseError {
  message: string;
  path?: (string | number)[];
  extensions: { code: string; requestId?: string };
}

export interface IncrementalResult {
  data?: unknown;
  errors?: ResponseError[];
  incremental?: Part[];
  hasNext?: boolean;
}

export type IncrementalMediaType = 'multipart/mixed' | 'text/event-stream';

export const postIncrementally = (
  t: TestApp,
  query: string,
  variables: Record<string, unknown>,
  as: Person | undefined,
  accept: string,
): Promise<Response> =>
  t.app.fetch(
    new Request('http://duet.test/graphql', {
      method: 'POST',
      headers: {
        accept,
        'content-type': 'application/json',
        ...(as ? { authorization: `Bearer ${as.token}` } : {}),
      },
      body: JSON.stringify({ query, variables }),
    }),
  );

export async function readResults(response: Response): Promise<IncrementalResult[]> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('multipart/mixed')) return parseMultipart(await response.text());
  if (!type.startsWith('text/event-stream')) return [(await response.json()) as IncrementalResult];
  const stream = readEventStream(response);
  while (stream.state === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
  if (stream.state !== 'complete') throw new Error(`The stream is ${stream.state}.`);
  return stream.received as IncrementalResult[];
}

function parseMultipart(text: string): IncrementalResult[] {
  if (!text.endsWith('\r\n-----\r\n')) throw new Error(`No closing boundary: ${text.slice(-20)}`);
  return text
    .split('\r\n---')
    .slice(1, -1)
    .map((part) => JSON.parse(part.slice(part.indexOf('\r\n\r\n'))) as IncrementalResult);
}

type Container = Record<string | number, unknown>;

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

function mergeInto(target: unknown, source: unknown): unknown {
  if (!isContainer(target) || !isContainer(source)) return source;
  for (const [key, value] of Object.entries(source)) target[key] = mergeInto(target[key], value);
  return target;
}

/** The response that the results are parts of. */
export function mergeResults([first = {}, ...others]: readonly IncrementalResult[]): {
  data: unknown;
  errors: ResponseError[];
} {
  const response = { root: first.data };
  const errors = [...(first.errors ?? [])];
  for (const { incremental = [], errors: resultErrors = [] } of others) {
    errors.push(...resultErrors);
    for (const { path = [], data, items, errors: partErrors = [] } of incremental) {
      errors.push(...partErrors);
      const [key = 'root', ...parents] = ['root', ...path].reverse();
      let parent: unknown = response;
      for (const step of parents.reverse()) parent = isContainer(parent) ? parent[step] : undefined;
      if (!isContainer(parent)) throw new Error(`There is no ${path.join('.')}.`);
      if (items)
        items.forEach((item, index) => {
          const position = Number(key) + index;
          parent[position] = mergeInto(parent[position], item);
        });
      else if (data) parent[key] = mergeInto(parent[key], data);
    }
  }
  return { data: response.root, errors };
}
