/** Streams a complete REST list as JSON lines. Each page is queried when the client has received the one before. */
import type { RequestInProgress } from '../context.ts';
import { type HttpRequest, type HttpResponse, SegmentedBody } from '../http-message.ts';
import type { RestResult } from '../rest/request-handler.ts';
import type { HttpRoute } from './http-route-types.ts';

type RestHandler = (request: HttpRequest, call: RequestInProgress) => Promise<RestResult>;

/** The only list that is available as JSON lines, written as in the REST route table. */
export const changesJsonLinesPath = '/v1/businesses/:businessId/changes';
export const jsonLinesContentType = 'application/x-ndjson';

export const createChangesJsonLinesRoute = (rest: RestHandler): HttpRoute => ({
  path: '/v1/',
  pattern: new RegExp(`^${changesJsonLinesPath.replace(':businessId', '[^/]+')}$`),
  methods: ['GET'],
  handle: (request, call) =>
    acceptsJsonLines(request) ? streamJsonLines(request, (page) => rest(page, call), call) : undefined,
});

function acceptsJsonLines(request: HttpRequest): boolean {
  if (new URLSearchParams(request.query).get('format') === 'jsonl') return true;
  return (request.header('accept') ?? '')
    .split(',')
    .some((type) => type.trim().split(';')[0] === jsonLinesContentType);
}

interface ListPage {
  items: readonly unknown[];
  cursor?: string | null;
}

/** An error on the first page is the response. An error on a later page, such as a revoked permission, aborts the stream. */
async function streamJsonLines(
  request: HttpRequest,
  rest: (request: HttpRequest) => Promise<RestResult>,
  { facts }: RequestInProgress,
): Promise<RestResult> {
  const queryPage = (cursor: string | undefined) => {
    // Each page has the full operation cost limit.
    facts.operationCost.total = 0;
    return rest({ ...request, query: pageQuery(request.query, cursor) });
  };
  const first = await queryPage(undefined);
  if (first.response.status !== 200) return first;
  let next: RestResult | undefined = first;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const current = next;
      if (!current) return controller.close();
      if (current.response.status !== 200)
        return controller.error(new Error('The list ended early: the query for the next page failed.'));
      const { items, cursor } = parsePage(current.response);
      next = cursor ? await queryPage(cursor) : undefined;
      if (items.length > 0)
        controller.enqueue(encoder.encode(items.map((item) => `${JSON.stringify(item)}\n`).join('')));
      else controller.close();
    },
  });
  const headers = { 'content-type': `${jsonLinesContentType}; charset=utf-8`, 'cache-control': 'no-store' };
  return { ...first, response: { status: 200, headers, body } };
}

const parsePage = ({ body }: HttpResponse) =>
  JSON.parse(String(body instanceof SegmentedBody ? body.toBuffer() : body)) as ListPage;

function pageQuery(query: string, cursor: string | undefined): string {
  const params = new URLSearchParams(query);
  params.delete('format');
  params.delete('cursor');
  params.set('limit', '100');
  if (cursor !== undefined) params.set('cursor', cursor);
  return params.toString();
}
