/** `duet replay FILE --against URL`: sends recorded REST reads by both protocols, or to two versions, and prints every difference. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { OperatorError } from '../../lib/operator-errors.ts';
import { type LocalCommand, UsageError } from '../command-types-and-usage-error.ts';
import { assertHttpUrl, parseCommandArgs } from '../parse-command-args.ts';
import { findJsonDifferences } from '../replay/find-json-differences.ts';
import { parseRecordedRequests, type RecordedRequest } from '../replay/parse-recorded-requests.ts';
import { type ReplayedResponse, replayByGraphql, replayByRest } from '../replay/send-recorded-request.ts';

const options = { against: { type: 'string' }, and: { type: 'string' }, token: { type: 'string' } } as const;

interface ReplayOptions {
  requests: readonly RecordedRequest[];
  /** URL of the gateway. */
  against: string;
  /** URL of another version: its REST responses are compared instead of those of GraphQL. */
  and?: string | undefined;
  write(line: string): void;
}

interface ReplayResult {
  compared: number;
  /** Requests without a route. */
  skipped: number;
  /** Compared requests that both sides reject as UNAUTHENTICATED: their bodies are not compared. */
  unauthenticated: number;
  differences: number;
}

export async function replayRequests({
  requests,
  against,
  and,
  write,
}: ReplayOptions): Promise<ReplayResult> {
  const result: ReplayResult = { compared: 0, skipped: 0, unauthenticated: 0, differences: 0 };
  for (const request of requests) {
    const [left, right] = await Promise.all([
      replayByRest(against, request),
      and === undefined ? replayByGraphql(against, request) : replayByRest(and, request),
    ]);
    if (!right) {
      result.skipped += 1;
      continue;
    }
    result.compared += 1;
    if (isUnauthenticated(left) && isUnauthenticated(right)) result.unauthenticated += 1;
    const differences = findJsonDifferences(comparable(left, right), comparable(right, left));
    result.differences += differences.length;
    for (const { path, left: leftValue, right: rightValue } of differences)
      write(`GET ${request.path}: ${path}: ${JSON.stringify(leftValue)} / ${JSON.stringify(rightValue)}`);
  }
  return result;
}

const isUnauthenticated = (response: ReplayedResponse) =>
  'errorCode' in response && response.errorCode === 'UNAUTHENTICATED';

/** A body and an error differ in the error alone. */
const comparable = (response: ReplayedResponse, other: ReplayedResponse) =>
  'body' in response && 'body' in other
    ? response.body
    : { error: 'errorCode' in response ? response.errorCode : undefined };

export const replayCommand: LocalCommand = async (_env, args) => {
  const { positionals, values } = parseCommandArgs(args, options, ['FILE']);
  const [file = ''] = positionals;
  for (const name of ['against', 'and'] as const)
    if (values[name] !== undefined) assertHttpUrl(`--${name}`, values[name]);
  const { against, and, token } = values;
  if (against === undefined) throw new UsageError('The option --against URL is missing.');
  const text = await readFile(resolve(file), 'utf8').catch((error: unknown) => {
    throw new OperatorError(`${file} cannot be read. Name an access log or a HAR file.`, { cause: error });
  });
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const requests = parseRecordedRequests(text).map(({ path, headers }) => ({
    path,
    headers: { ...headers, ...authorization },
  }));
  if (requests.length === 0)
    throw new OperatorError(
      `${file} has no recorded GET request below /v1. Name an access log in the common or combined format, or a HAR file.`,
    );
  const { compared, skipped, unauthenticated, differences } = await replayRequests({
    requests,
    against,
    and,
    write: (line) => process.stdout.write(`${line}\n`),
  });
  process.stdout.write(`Compared requests: ${compared}; skipped, without a route: ${skipped}.\n`);
  if (unauthenticated > 0)
    throw new OperatorError(
      `Rejected as UNAUTHENTICATED on both sides: ${unauthenticated}. Send a valid token with --token.`,
    );
  if (differences > 0) throw new OperatorError(`Differences: ${differences}.`);
};
