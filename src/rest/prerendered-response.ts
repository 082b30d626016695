/** PERF: REST responses from cached JSON of records: a record without its nulls, or a page as `{items, cursor}`. */

import type { Context } from '../context.ts';
import type { Variables } from '../graphql/execute/coerce-variables.ts';
import type {
  PageRenderPlan,
  Projection,
  RecordRenderPlan,
  RenderPlan,
} from '../graphql/execute/operation-compiler.ts';
import type { PreparedOperation } from '../graphql/execute/prepared-document.ts';
import { joinRenderedSegments, renderNodeList } from '../graphql/fast/index.ts';
import { isTimeoutError } from '../lib/async/deadline.ts';
import { type RenderedBody, renderCached } from '../lib/cache/record-cache.ts';
import { isResponseTooLargeError, stringifyResponse } from '../lib/json/response-size.ts';
import type { Page } from '../lib/paging.ts';
import { etagOf } from './etag.ts';
import { removeNullsInPlace } from './json-body.ts';
import type { ResponseMapping } from './route.ts';

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

const withoutNulls =
  (project: Projection): Projection =>
  (value) => {
    const body = project(value);
    removeNullsInPlace(body);
    return body;
  };

function createRecordRenderer({ projectRecord }: RecordRenderPlan): Renderer {
  const project = withoutNulls(projectRecord);
  return (value) =>
    renderCached(value, project, () => {
      const body = project(value);
      const json = stringifyResponse(body);
      return { bytes: Buffer.from(json), etag: etagOf(body, json) };
    });
}

function createPageRenderer({ fields }: PageRenderPlan): Renderer | undefined {
  const projectNode = fields.find(({ key }) => key === 'nodes')?.projectNode;
  const pageInfo = fields.find(({ key }) => key === 'pageInfo');
  if (!projectNode || !pageInfo) return undefined;
  const project = withoutNulls(projectNode);
  return (page) =>
    renderCached(page, project, () => {
      const { hasNextPage, endCursor } = pageInfo.projectPage(page) as {
        hasNextPage: boolean;
        endCursor?: string | null;
      };
      const cursor = hasNextPage ? (endCursor ?? null) : null;
      const { bytes } = joinRenderedSegments([
        '{"items":',
        ...renderNodeList((page as Page<object>).nodes, project),
        `,"cursor":${JSON.stringify(cursor)}}`,
      ]);
      return { bytes, cursor };
    });
}
