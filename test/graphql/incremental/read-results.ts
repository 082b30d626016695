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
  incremental?: (Part & { id?: string })[];
  /** Announced parts, in the format that refers to them by id. */
  pending?: { id: string; path: (string | number)[]; label?: string }[];
  completed?: { id: string; errors?: ResponseError[] }[];
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

/**
 * Results with announced parts as results whose parts have paths. Fails for a part that is not announced, that is announced twice, that is
 * at no place of the response, or that does not end.
 */
function resolveAnnouncedParts(results: readonly IncrementalResult[]): IncrementalResult[] {
  const seen = new Set<string>();
  const open = new Map<string, { path: (string | number)[]; label?: string; nextItem: number | undefined }>();
  const response: Container = {};
  return results.map((result, index) => {
    const { pending = [], incremental = [], completed = [], ...rest } = result;
    if (index === 0) response.root = structuredClone(rest.data);
    const errors: ResponseError[] = [];
    const parts: Part[] = [];
    for (const { id, ...part } of pending) {
      if (seen.has(id)) throw new Error(`${id} is announced twice.`);
      seen.add(id);
      open.set(id, { ...part, nextItem: undefined });
    }
    const valueAt = (path: readonly (string | number)[]) =>
      path.reduce<unknown>((value, key) => (isContainer(value) ? value[key] : undefined), response.root);
    for (const { id = '', data, items, errors: partErrors } of incremental) {
      const part = open.get(id);
      if (!part) throw new Error(`${id} is not announced.`);
      const target = valueAt(part.path);
      if (!isContainer(target)) throw new Error(`There is no ${part.path.join('.')}.`);
      const label = part.label === undefined ? {} : { label: part.label };
      const failure = partErrors ? { errors: partErrors } : {};
      if (items) {
        part.nextItem ??= (target as unknown as unknown[]).length;
        items.forEach((item, offset) => {
          target[Number(part.nextItem) + offset] = structuredClone(item);
        });
        parts.push({ ...label, ...failure, items, path: [...part.path, part.nextItem] });
        part.nextItem += items.length;
      } else {
        mergeInto(target, structuredClone(data));
        parts.push({ ...label, ...failure, data, path: part.path });
      }
    }
    for (const { id, errors: partErrors = [] } of completed) {
      if (!open.delete(id)) throw new Error(`${id} is not open.`);
      errors.push(...partErrors);
    }
    for (const { path } of open.values())
      if (!isContainer(valueAt(path))) throw new Error(`There is no ${path.join('.')}.`);
    if (rest.hasNext === false && open.size > 0) throw new Error(`${open.size} parts do not end.`);
    return {
      ...rest,
      ...(parts.length > 0 ? { incremental: parts } : {}),
      errors: [...(rest.errors ?? []), ...errors],
    };
  });
}

/** The response that the results are parts of, in either format. */
export function mergeResults(results: readonly IncrementalResult[]): {
  data: unknown;
  errors: ResponseError[];
} {
  const isAnnounced = results.some(({ pending, completed }) => pending ?? completed);
  return mergeParts(isAnnounced ? resolveAnnouncedParts(results) : results);
}

function mergeParts([first = {}, ...others]: readonly IncrementalResult[]): {
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
