/** Runs rows: path and body become the variables of a stored operation, its data becomes the answer. */

import type { Context } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import type { Variables } from '../graphql/coerce.ts';
import type { Operation } from '../graphql/executable.ts';
import type { Executor } from '../graphql/executor.ts';
import { toAppError } from '../graphql/masking.ts';
import { coerceOnce, createQuestions } from '../graphql/questions.ts';
import { answerJson } from '../lib/answer-json.ts';
import type { Text } from '../lib/kept.ts';
import { OtherVersion } from '../lib/version.ts';
import { type HttpRequest, type HttpResponse, jsonType } from '../message.ts';
import { fieldUse } from '../ports/usage.ts';
import { dropNulls, readJsonObject } from './body.ts';
import { deprecationHeaders } from './deprecation.ts';
import { showError } from './error-answer.ts';
import { etagOf, noneMatches, versionsIn } from './etag.ts';
import { fieldsIn } from './fields.ts';
import { createMatcher } from './match.ts';
import { nextLink } from './next-link.ts';
import { createReadyRows } from './ready.ts';
import type { Row } from './row.ts';
import { createVersions, type Distance } from './versions.ts';

export interface RestAnswer {
  response: HttpResponse;
  /** For the log: the row's path, or nothing when there is no such row. */
  route: string | undefined;
  /** The code of the error, if it is one. */
  code?: string;
}

export interface Rest {
  handle(request: HttpRequest, createContext: () => Promise<Context>, base: Reporting): Promise<RestAnswer>;
}

type Reporting = Parameters<typeof toAppError>[1];

export function createRest(executor: Executor, rows: readonly Row[]): Rest {
  const matcher = createMatcher(rows);
  const ready = createReadyRows(executor);
  const distanceTo = createVersions();
  const questions = createQuestions<Variables>((sent) => sent);

  async function answer(
    request: HttpRequest,
    row: Row,
    path: Record<string, string>,
    ctx: Context,
    { up, down }: Distance,
  ): Promise<HttpResponse> {
    const whole = ready.row(row);
    const name = nameOf(row);
    const businessesOf = () => whole.operation.businessesOf(path);
    ctx.usage.note(ctx, whole.use, businessesOf);
    const hasBody = row.method === 'POST' || row.method === 'PUT';
    const { query, body: given } = up(
      { query: request.query, body: hasBody ? await readJsonObject(request) : {} },
      name,
    );
    const ifMatch = request.header('if-match');
    const asked = row.method === 'GET' && ifMatch === undefined ? `${request.path}?${query}` : undefined;
    const known = asked === undefined ? undefined : questions.find(asked);
    const sent = known ?? whole.compiled.variables({ path, query, body: given, ifMatch });
    const fields = row.method === 'GET' ? fieldsIn(query) : '';
    const { part, faults } = ready.part(row, fields, ctx.request.address);
    const outdated = [...whole.operation.deprecatedIn(sent), ...part.outdated];
    for (const coordinate of outdated) ctx.usage.note(ctx, fieldUse(coordinate), businessesOf);
    if (outdated.length > 0) Object.assign(ctx.request.answerHeaders, deprecationHeaders(outdated));
    const { variables, issues } = coerceOnce(whole.operation.variableTypes, sent, { strict: false });
    if (issues.length > 0 || faults.length > 0)
      return whole.operation.refuse(variables, [...issues, ...faults], ctx);
    const others = versionsIn(ifMatch).slice(1);
    // Texts that were made before are those of the newest wire.
    const text = row.method === 'GET' && !down ? await part.readText(variables, ctx) : undefined;
    if (text && asked !== undefined && !known) questions.note(asked, sent);
    if (text) return show(request, row.method, part.isTagged ? text : { ...text, etag: undefined });
    const body =
      text === null ? null : part.compiled.answer(await run(part.operation, variables, ctx, others));
    if (typeof body !== 'object' || body === null) throw notFound(row.missing);
    dropNulls(body);
    return showBody(request, row.method, down ? down(wireOf(body), name) : body, part.isTagged);
  }

  return {
    async handle(request, createContext, reporting) {
      const found = matcher.match(request.method === 'HEAD' ? 'GET' : request.method, request.path);
      const route = found && 'row' in found ? nameOf(found.row) : undefined;
      let distance: Distance | undefined;
      try {
        distance = distanceTo(request);
        if (!found) throw new AppError('NOT_FOUND', `There is no ${request.path}.`);
        if (!('row' in found)) return { route, response: otherMethod(request.method, found.allow) };
        const ctx = await createContext();
        return { route, response: await answer(request, found.row, found.path, ctx, distance) };
      } catch (error) {
        const shown = toAppError(error, reporting);
        const response = showError(shown, request, reporting.request.requestId);
        return { route, response: distance?.failureDown(response) ?? response, code: shown.code };
      }
    },
  };
}

/** A change names one version; if the current one is another that the caller would accept, it is asked for once more, from that. */
async function run(
  operation: Operation,
  variables: Variables,
  ctx: Context,
  others: readonly number[],
): Promise<unknown> {
  const result = await operation.run(variables, ctx);
  const error = result.errors?.[0];
  if (!error) return result.data;
  const { originalError } = error;
  if (!(originalError instanceof OtherVersion) || !others.includes(originalError.current)) throw error;
  const version = originalError.current;
  return run(
    operation,
    { ...variables, version },
    ctx,
    others.filter((other) => other !== version),
  );
}

const nameOf = ({ method, path }: Row) => `${method} ${path}`;

/** Pieces that were made before are text in there. */
const wireOf = (body: object): Record<string, unknown> => JSON.parse(answerJson(body));

/** Single reads and changes carry an ETag; lists, which have no version, do not. */
function showBody(
  request: HttpRequest,
  method: Row['method'],
  body: object,
  isTagged: boolean,
): HttpResponse {
  const text = answerJson(body);
  if ('items' in body)
    return show(request, method, { bytes: text, cursor: (body as { cursor?: string }).cursor });
  return show(request, method, { bytes: text, etag: isTagged ? etagOf(body, text) : undefined });
}

interface Shown {
  bytes: string | Text['bytes'];
  etag?: string | undefined;
  /** Where the next page of a list begins. */
  cursor?: string | null | undefined;
}

/** What is read depends on who asks, and may be kept by them as long as they ask whether it is still so. */
const forReader = (): Record<string, string> => ({
  'cache-control': 'private, no-cache',
  vary: 'Authorization, X-API-Key, X-Duet-Version, Accept, Accept-Encoding',
});
const forWriter = (): Record<string, string> => ({ 'cache-control': 'no-store' });

function show(request: HttpRequest, method: Row['method'], { bytes, etag, cursor }: Shown): HttpResponse {
  const headers = method === 'GET' ? forReader() : forWriter();
  if (cursor) headers.link = nextLink(request, cursor);
  if (etag !== undefined) {
    headers.etag = etag;
    const known = request.method === 'GET' ? request.header('if-none-match') : undefined;
    if (known !== undefined && noneMatches(known, etag)) return { status: 304, headers, body: null };
  }
  headers['content-type'] = jsonType;
  return { status: 200, headers, body: bytes };
}

/** Whoever asks for the methods of a path is told; whoever uses one that it does not have, too. */
const otherMethod = (method: string, allow: readonly string[]): HttpResponse => {
  const allowed = [...allow, ...(allow.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  if (method === 'OPTIONS') return { status: 204, headers: { allow: allowed }, body: null };
  throw new AppError('METHOD_NOT_ALLOWED', `${method} is not allowed here. Allowed: ${allowed}.`, {
    headers: { allow: allowed },
  });
};
