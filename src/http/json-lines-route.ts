/** Whole lists as JSON lines: the pages of a REST row one after the other, each asked for when the reader has taken the one before. */
import { type HttpRequest, type HttpResponse, SegmentedBody } from '../http-message.ts';
import type { RestResult } from '../rest/engine.ts';
import type { HttpCall, HttpRoute } from './http-route.ts';

type Rest = (request: HttpRequest, call: HttpCall) => Promise<RestResult>;

/** The list that people want as a whole, as in the REST table. */
export const jsonLinesPath = '/v1/businesses/:businessId/changes';
const address = new RegExp(`^${jsonLinesPath.replace(':businessId', '[^/]+')}$`);
export const jsonLinesType = 'application/x-ndjson';

export const jsonLinesRoute = (rest: Rest): HttpRoute => ({
  path: '/v1/',
  handle: (request, call) =>
    request.method === 'GET' && address.test(request.path) && wantsLines(request)
      ? lines(request, (page) => rest(page, call), call)
      : undefined,
});

function wantsLines(request: HttpRequest): boolean {
  if (new URLSearchParams(request.query).get('format') === 'jsonl') return true;
  return (request.header('accept') ?? '')
    .split(',')
    .some((type) => type.trim().split(';')[0] === jsonLinesType);
}

interface ListPage {
  items: readonly unknown[];
  cursor?: string | null;
}

/** Refusals are answered as ever. Who loses their rights on the way gets no more: the answer breaks off. */
async function lines(
  request: HttpRequest,
  rest: (request: HttpRequest) => Promise<RestResult>,
  { facts }: HttpCall,
): Promise<RestResult> {
  const ask = (cursor: string | undefined) => {
    // Each page pays for itself.
    facts.operationCost.cost = 0;
    return rest({ ...request, query: pageQuery(request.query, cursor) });
  };
  const first = await ask(undefined);
  if (first.response.status !== 200) return first;
  let next: RestResult | undefined = first;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const at = next;
      if (!at) return controller.close();
      if (at.response.status !== 200) return controller.error(new Error('The export was broken off.'));
      const { items, cursor } = pageOf(at.response);
      next = cursor ? await ask(cursor) : undefined;
      if (items.length > 0)
        controller.enqueue(encoder.encode(items.map((item) => `${JSON.stringify(item)}\n`).join('')));
      else controller.close();
    },
  });
  const headers = { 'content-type': `${jsonLinesType}; charset=utf-8`, 'cache-control': 'no-store' };
  return { ...first, response: { status: 200, headers, body } };
}

const pageOf = ({ body }: HttpResponse) =>
  JSON.parse(String(body instanceof SegmentedBody ? body.toBuffer() : body)) as ListPage;

function pageQuery(query: string, cursor: string | undefined): string {
  const params = new URLSearchParams(query);
  params.delete('format');
  params.delete('cursor');
  params.set('limit', '100');
  if (cursor !== undefined) params.set('cursor', cursor);
  return params.toString();
}
