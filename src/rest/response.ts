/** Responses of routes: from cached JSON of records (a record without its nulls, or a page as `{items, cursor}`), or from the data of an execution. */
import type { Context } from '../context.ts';
import type { Variables } from '../graphql/execute/coerce-variables.ts';
import type {
  PageRenderPlan,
  RecordRenderPlan,
  RemoveNulls,
  RenderPlan,
} from '../graphql/execute/operation-compiler-types.ts';
import type { PreparedOperation } from '../graphql/execute/prepared-document-types.ts';
import { type HttpRequest, type HttpResponse, jsonContentType } from '../http-message.ts';
import { isTimeoutError } from '../lib/async/deadline.ts';
import {
  joinRenderedSegments,
  type RenderedBody,
  renderCached,
  renderNodeList,
  toRenderedBody,
} from '../lib/cache/record-cache.ts';
import { isResponseTooLargeError, stringifyResponse } from '../lib/json/response-size-limit.ts';
import type { Page } from '../lib/paging.ts';
import { etagOf, ifNoneMatchIncludes } from './etag.ts';
import { clientDataFields, removeNullsInPlace } from './json-body.ts';
import type { ResponseMapping, RestRoute } from './route.ts';

/** Response of a GET route: null if there is no record, undefined if the operation has to be executed. */
export type ReadPrerenderedResponse = (
  variables: Variables,
  ctx: Context,
) => Promise<RenderedBody | null | undefined>;

export function createPrerenderedResponseReader(
  operation: PreparedOperation,
  mapping: ResponseMapping,
): ReadPrerenderedResponse {
  let currentPlan: RenderPlan | undefined;
  let render: Renderer | undefined;
  return async (variables, ctx) => {
    const plan = operation.renderPlan();
    if (plan !== currentPlan) {
      currentPlan = plan;
      render = plan && createRenderer(plan, mapping);
    }
    if (!plan || !render) return undefined;
    try {
      const value = await plan.resolveRoot(variables, ctx);
      return value ? render(value) : null;
    } catch (error) {
      if (isTimeoutError(error) || isResponseTooLargeError(error)) throw error;
      // The caller executes the operation, which reports the same error.
      return undefined;
    }
  };
}

/** Renders the value of the root field. */
type Renderer = (value: object) => RenderedBody;

/** Undefined: the response is not exactly the record or the page of the root field. */
function createRenderer(plan: RenderPlan, mapping: ResponseMapping): Renderer | undefined {
  if (plan.kind === 'page')
    return 'list' in mapping && mapping.list === plan.key ? createPageRenderer(plan) : undefined;
  const isRecord = 'at' in mapping && mapping.at === plan.key && !mapping.fallback;
  return isRecord ? createRecordRenderer(plan) : undefined;
}

const withoutNulls: RemoveNulls = (key, json) => {
  if (clientDataFields.has(key)) return json;
  const body = toPlainJson({ [key]: json });
  removeNullsInPlace(body);
  return body[key];
};

function createRecordRenderer({ writeRecord, versionOf }: RecordRenderPlan): Renderer {
  const selection = { writeRecord };
  return (value) =>
    renderCached(value, selection, () => {
      const json = writeRecord(value, withoutNulls);
      return toRenderedBody(json, etagOf({ version: versionOf(value) }, json));
    });
}

function createPageRenderer({ fields }: PageRenderPlan): Renderer | undefined {
  const writer = fields.find(({ key }) => key === 'nodes')?.writeNode;
  if (!writer || !fields.some(({ key }) => key === 'pageInfo')) return undefined;
  const writeNode = (node: unknown) => writer(node, withoutNulls);
  return (value) =>
    renderCached(value, writeNode, () => {
      const page = value as Page<object>;
      const last = page.nodes.at(-1);
      const cursor = page.hasNextPage && last ? page.cursorOf(last) : null;
      const { bytes } = joinRenderedSegments([
        '{"items":',
        ...renderNodeList(page.nodes, writeNode),
        `,"cursor":${JSON.stringify(cursor)}}`,
      ]);
      return { bytes, cursor };
    });
}

/** Plain JSON: the body may contain objects with pre-rendered JSON. */
export const toPlainJson = (body: object): Record<string, unknown> => JSON.parse(stringifyResponse(body));

/** Responses with one record have an ETag; lists have no version and no ETag. */
export function createRestBodyResponse(
  request: HttpRequest,
  method: RestRoute['method'],
  body: object,
  hasEtag: boolean,
): HttpResponse {
  const json = stringifyResponse(body);
  if ('items' in body)
    return createRestResponse(
      request,
      method,
      { bytes: json, cursor: (body as { cursor?: string }).cursor },
      false,
    );
  return createRestResponse(request, method, { bytes: json, etag: etagOf(body, json) }, hasEtag);
}

interface RenderedResponse {
  bytes: string | RenderedBody['bytes'];
  etag?: string | undefined;
  /** Cursor of the next page of a list. */
  cursor?: string | null | undefined;
}

/** Responses depend on the viewer; clients may cache them, but have to revalidate. */
const readHeaders = (): Record<string, string> => ({
  'cache-control': 'private, no-cache',
  vary: 'Authorization, X-API-Key, X-Duet-Version, Accept, Accept-Encoding',
});
const writeHeaders = (): Record<string, string> => ({ 'cache-control': 'no-store' });

export function createRestResponse(
  request: HttpRequest,
  method: RestRoute['method'],
  { bytes, etag, cursor }: RenderedResponse,
  hasEtag: boolean,
): HttpResponse {
  const headers = method === 'GET' ? readHeaders() : writeHeaders();
  if (cursor) headers.link = buildNextPageLinkHeader(request, cursor);
  if (hasEtag && etag !== undefined) {
    headers.etag = etag;
    const ifNoneMatch = request.method === 'GET' ? request.header('if-none-match') : undefined;
    if (ifNoneMatch !== undefined && ifNoneMatchIncludes(ifNoneMatch, etag))
      return { status: 304, headers, body: null };
  }
  headers['content-type'] = jsonContentType;
  return { status: 200, headers, body: bytes };
}

export const toCreatedResponse = (response: HttpResponse, location: string | undefined): HttpResponse => ({
  ...response,
  status: 201,
  headers: location === undefined ? response.headers : { ...response.headers, location },
});

/** Value of `Link: <…>; rel="next"`: URL of the next page, with all other query parameters unchanged. */
function buildNextPageLinkHeader({ path, query }: HttpRequest, cursor: string): string {
  const others = query === '' ? [] : query.split('&').filter((part) => part !== '' && !/^cursor=/.test(part));
  const url = `${path}?${[...others, `cursor=${encodeURIComponent(cursor)}`].join('&')}`;
  // Unencoded characters of the request URL must not close the brackets.
  return `<${url.replace(/[<>"\s]/g, encodeURIComponent)}>; rel="next"`;
}
