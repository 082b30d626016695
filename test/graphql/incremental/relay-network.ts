/** Relay's network for results in parts, as docs/how-to/clients.md shows it, and a query as the Relay compiler would write it. */
import type { GraphQLResponse, Variables } from 'relay-runtime';
import type { IncrementalResult } from './read-results.ts';

interface Sink {
  next(response: GraphQLResponse): void;
  error(error: Error): void;
  complete(): void;
}

export function fetchWithParts(
  url: string,
  headers: Record<string, string>,
  query: string,
  variables: Variables,
  sink: Sink,
): void {
  const read = async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'multipart/mixed, application/json',
      },
      body: JSON.stringify({ query, variables }),
    });
    if (!response.headers.get('content-type')?.startsWith('multipart/mixed'))
      return sink.next((await response.json()) as GraphQLResponse);
    for await (const result of readParts(response)) sink.next(toRelayResponses(result));
  };
  read().then(
    () => sink.complete(),
    (error: Error) => sink.error(error),
  );
}

async function* readParts(response: Response): AsyncGenerator<IncrementalResult> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const parts = text.split('\r\n---');
    text = parts.pop() ?? '';
    for (const part of parts) if (part.trim() !== '') yield JSON.parse(part.slice(part.indexOf('\r\n\r\n')));
  }
}

/** Relay takes one response per deferred fragment and per streamed item. */
function toRelayResponses({ incremental, hasNext, ...first }: IncrementalResult): GraphQLResponse {
  const extensions = { is_final: !hasNext };
  if (!incremental) return { ...first, extensions } as GraphQLResponse;
  const responses = incremental.flatMap(({ items, data, path = [], label, errors }) =>
    items
      ? items.map((item, index) => ({
          data: item,
          path: [...path.slice(0, -1), Number(path.at(-1)) + index],
          label,
          errors,
        }))
      : [{ data, path, label, errors }],
  );
  return responses.map((response, index) => ({
    ...response,
    extensions: { is_final: !hasNext && index === responses.length - 1 },
  })) as GraphQLResponse;
}

type RelayNode = Record<string, unknown>;

const field = (name: string): RelayNode => ({
  kind: 'ScalarField',
  alias: null,
  args: null,
  name,
  storageKey: null,
});

const linked = (
  name: string,
  concreteType: string,
  plural: boolean,
  selections: RelayNode[],
  args: RelayNode[] | null = null,
): RelayNode => ({
  kind: 'LinkedField',
  alias: null,
  args,
  name,
  concreteType,
  plural,
  storageKey: null,
  selections,
});

const businessId = { kind: 'Variable', name: 'businessId', variableName: 'b' };

/** The query of the test: a streamed list and a deferred fragment. */
export function compileRelayQuery(text: string): never {
  const argumentDefinitions = [{ kind: 'LocalArgument', name: 'b', defaultValue: null }];
  const selections = (isNormalization: boolean): RelayNode[] => {
    const nodes = linked('nodes', 'Product', true, [field('__typename'), field('id'), field('name')]);
    const orders = linked('orders', 'OrderConnection', false, [field('totalCount')], [businessId]);
    const stream = { kind: 'Stream', if: null, label: 'Shop$stream$nodes', selections: [nodes] };
    const defer = { kind: 'Defer', if: null, label: 'Shop$defer$Orders', selections: [orders] };
    return [
      linked(
        'products',
        'ProductConnection',
        false,
        [isNormalization ? stream : { kind: 'Stream', selections: [nodes] }],
        [businessId, { kind: 'Literal', name: 'sort', value: 'NAME' }],
      ),
      isNormalization ? defer : { kind: 'Defer', selections: [orders] },
    ];
  };
  return {
    kind: 'Request',
    fragment: {
      kind: 'Fragment',
      name: 'Shop',
      type: 'Query',
      metadata: null,
      argumentDefinitions,
      selections: selections(false),
    },
    operation: { kind: 'Operation', name: 'Shop', argumentDefinitions, selections: selections(true) },
    params: { id: null, cacheID: 'Shop', metadata: {}, name: 'Shop', operationKind: 'query', text },
  } as never;
}
