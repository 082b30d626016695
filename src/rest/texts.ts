/** REST answers put together from texts that were made before: a record without its nulls, or a page as `{items, cursor}`. */

import type { Context } from '../context.ts';
import type { Variables } from '../graphql/coerce.ts';
import type { Operation } from '../graphql/executable.ts';
import { joined, nodeTexts, type PagePieces, type Pieces, type RecordPieces } from '../graphql/pieces.ts';
import type { Shape } from '../graphql/shape.ts';
import { answerJson, isAnswerTooLarge } from '../lib/answer-json.ts';
import { isTimeout } from '../lib/deadline.ts';
import { type Text, textOf } from '../lib/kept.ts';
import type { Page } from '../lib/paging.ts';
import { dropNulls } from './body.ts';
import { etagOf } from './etag.ts';
import type { Answer } from './row.ts';

/** The answer of a row that reads: null where there is no record, undefined where the operation has to be run. */
export type TextReader = (variables: Variables, ctx: Context) => Promise<Text | null | undefined>;

export function createTextReader(operation: Operation, answer: Answer): TextReader {
  let known: Pieces | undefined;
  let write: Writer | undefined;
  return async (variables, ctx) => {
    const pieces = operation.pieces();
    if (pieces !== known) {
      known = pieces;
      write = pieces && writerOf(pieces, answer);
    }
    if (!pieces || !write) return undefined;
    try {
      const value = await pieces.ask(variables, ctx);
      return value ? write(value) : null;
    } catch (error) {
      if (isTimeout(error) || isAnswerTooLarge(error)) throw error;
      // The run that follows meets the same fault, and says it.
      return undefined;
    }
  };
}

/** What becomes of the value that the root field returned. */
type Writer = (value: object) => Text;

/** Undefined: the answer is more than the record or the page of the root field. */
function writerOf(pieces: Pieces, answer: Answer): Writer | undefined {
  if (pieces.kind === 'page')
    return 'list' in answer && answer.list === pieces.key ? pageWriter(pieces) : undefined;
  const isRecord = 'at' in answer && answer.at === pieces.key && !answer.otherwise;
  return isRecord ? recordWriter(pieces) : undefined;
}

const withoutNulls =
  (shape: Shape): Shape =>
  (value) => {
    const shaped = shape(value);
    dropNulls(shaped);
    return shaped;
  };

function recordWriter({ record }: RecordPieces): Writer {
  const shape = withoutNulls(record);
  return (value) =>
    textOf(value, shape, () => {
      const shaped = shape(value);
      const text = answerJson(shaped);
      return { bytes: Buffer.from(text), etag: etagOf(shaped, text) };
    });
}

function pageWriter({ parts }: PagePieces): Writer | undefined {
  const nodes = parts.find(({ key }) => key === 'nodes')?.ofNode;
  const info = parts.find(({ key }) => key === 'pageInfo');
  if (!nodes || !info) return undefined;
  const shape = withoutNulls(nodes);
  return (page) =>
    textOf(page, shape, () => {
      const { hasNextPage, endCursor } = info.ofPage(page) as {
        hasNextPage: boolean;
        endCursor?: string | null;
      };
      const cursor = hasNextPage ? (endCursor ?? null) : null;
      const { bytes } = joined([
        '{"items":',
        ...nodeTexts((page as Page<object>).nodes, shape),
        `,"cursor":${JSON.stringify(cursor)}}`,
      ]);
      return { bytes, cursor };
    });
}
