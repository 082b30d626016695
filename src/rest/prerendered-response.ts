/** REST answers put together from texts that were made before: a record without its nulls, or a page as `{items, cursor}`. */

import type { Context } from '../context.ts';
import type { Variables } from '../graphql/execute/coerce-variables.ts';
import type { PreparedOperation } from '../graphql/execute/prepared-document.ts';
import type { Projection } from '../graphql/fast/projection.ts';
import {
  joinRendered,
  type PageRenderPlan,
  type RecordRenderPlan,
  type RenderPlan,
  renderNodeList,
} from '../graphql/fast/render-plan.ts';
import { isTimeoutError } from '../lib/async/deadline.ts';
import { type RenderedBody, renderCached } from '../lib/cache/record-cache.ts';
import { isResponseTooLarge, stringifyResponse } from '../lib/json/response-json.ts';
import type { Page } from '../lib/paging.ts';
import { etagOf } from './etag.ts';
import { dropNulls } from './json-body.ts';
import type { ResponseMapping } from './route.ts';

/** The answer of a row that reads: null where there is no record, undefined where the operation has to be run. */
export type PrerenderedReader = (
  variables: Variables,
  ctx: Context,
) => Promise<RenderedBody | null | undefined>;

export function createPrerenderedReader(
  operation: PreparedOperation,
  answer: ResponseMapping,
): PrerenderedReader {
  let known: RenderPlan | undefined;
  let write: Writer | undefined;
  return async (variables, ctx) => {
    const pieces = operation.renderPlan();
    if (pieces !== known) {
      known = pieces;
      write = pieces && writerOf(pieces, answer);
    }
    if (!pieces || !write) return undefined;
    try {
      const value = await pieces.ask(variables, ctx);
      return value ? write(value) : null;
    } catch (error) {
      if (isTimeoutError(error) || isResponseTooLarge(error)) throw error;
      // The run that follows meets the same fault, and says it.
      return undefined;
    }
  };
}

/** What becomes of the value that the root field returned. */
type Writer = (value: object) => RenderedBody;

/** Undefined: the answer is more than the record or the page of the root field. */
function writerOf(pieces: RenderPlan, answer: ResponseMapping): Writer | undefined {
  if (pieces.kind === 'page')
    return 'list' in answer && answer.list === pieces.key ? pageWriter(pieces) : undefined;
  const isRecord = 'at' in answer && answer.at === pieces.key && !answer.otherwise;
  return isRecord ? recordWriter(pieces) : undefined;
}

const withoutNulls =
  (shape: Projection): Projection =>
  (value) => {
    const shaped = shape(value);
    dropNulls(shaped);
    return shaped;
  };

function recordWriter({ projectRecord: record }: RecordRenderPlan): Writer {
  const shape = withoutNulls(record);
  return (value) =>
    renderCached(value, shape, () => {
      const shaped = shape(value);
      const text = stringifyResponse(shaped);
      return { bytes: Buffer.from(text), etag: etagOf(shaped, text) };
    });
}

function pageWriter({ parts }: PageRenderPlan): Writer | undefined {
  const nodes = parts.find(({ key }) => key === 'nodes')?.ofNode;
  const info = parts.find(({ key }) => key === 'pageInfo');
  if (!nodes || !info) return undefined;
  const shape = withoutNulls(nodes);
  return (page) =>
    renderCached(page, shape, () => {
      const { hasNextPage, endCursor } = info.ofPage(page) as {
        hasNextPage: boolean;
        endCursor?: string | null;
      };
      const cursor = hasNextPage ? (endCursor ?? null) : null;
      const { bytes } = joinRendered([
        '{"items":',
        ...renderNodeList((page as Page<object>).nodes, shape),
        `,"cursor":${JSON.stringify(cursor)}}`,
      ]);
      return { bytes, cursor };
    });
}
