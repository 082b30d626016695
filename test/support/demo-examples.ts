/** The examples of the printed contract as requests, in its order. */
import { contract } from './openapi.ts';

type Json = { [key: string]: Json } & { [key: string]: unknown };

export interface PrintedExample {
  name: string;
  method: string;
  path: string;
  body: Record<string, unknown> | undefined;
  as: 'admin' | 'guest';
  /** What it gets as it stands. */
  status: number;
}

export const printedExamples: readonly PrintedExample[] = Object.entries(contract.paths).flatMap(
  ([path, item]) =>
    Object.entries(item as Json)
      .filter(([, operation]) => operation['x-example'])
      .map(([method, operation]) => toExample(path, method, operation)),
);

function toExample(path: string, method: string, operation: Json): PrintedExample {
  const parameters = (operation.parameters ?? []) as unknown as {
    in: string;
    name: string;
    example?: unknown;
  }[];
  const shown = (place: string) => parameters.filter((one) => one.in === place && one.example !== undefined);
  const filled = shown('path').reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const query = new URLSearchParams(shown('query').map(({ name, example }) => [name, String(example)]));
  const { as, status = 200 } = operation['x-example'] as unknown as {
    as: 'admin' | 'guest';
    status?: number;
  };
  return {
    name: String(operation.operationId),
    method: method.toUpperCase(),
    path: query.size > 0 ? `${filled}?${query}` : filled,
    body: operation.requestBody?.content?.['application/json']?.example as PrintedExample['body'],
    as,
    status,
  };
}
