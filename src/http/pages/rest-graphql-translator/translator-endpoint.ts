/** `/migrate`: translates pasted REST requests to GraphQL. Answers the form with HTML, and JSON requests with JSON. */
import type { Config } from '../../../config.ts';
import { AppError } from '../../../errors.ts';
import { type HttpResponse, htmlResponse, jsonResponse } from '../../../http-message.ts';
import { isPlainObject } from '../../../lib/json/plain-objects.ts';
import { listFieldOrigins } from '../../../rest/translation/field-origins.ts';
import { findRestCalls, type GraphqlRequest } from '../../../rest/translation/find-rest-calls.ts';
import { formatClientCode } from '../../../rest/translation/format-client-code.ts';
import { parseRestRequests } from '../../../rest/translation/parse-rest-requests.ts';
import { type RestRequest, translateRequest } from '../../../rest/translation/translate-request.ts';
import type { Endpoint } from '../../endpoint-route.ts';
import { createPageSecurityHeaders } from '../http-page.ts';
import { buildGraphiqlHref, renderTranslatorPage, type TranslatorPageContent } from './translator-page.ts';

/** HAR files are larger when they contain responses; those are not needed here. */
const maxBodyBytes = 1024 * 1024;

/** Requests of a HAR file that the page shows. */
const maxRequests = 20;

export const createRestGraphqlTranslatorEndpoint = (config: Config): Endpoint => ({
  path: '/migrate',
  methods: ['GET', 'POST'],
  async handle(request) {
    if (request.method !== 'POST') return page(config, { text: '', results: [], error: undefined });
    const body = (await request.body(maxBodyBytes)).toString();
    if (request.header('content-type')?.toLowerCase().startsWith('application/json'))
      return translateJson(config, body);
    return translateForm(config, new URLSearchParams(body).get('request') ?? '');
  },
});

const page = (config: Config, content: TranslatorPageContent): HttpResponse =>
  htmlResponse(content.error === undefined ? 200 : 422, renderTranslatorPage(config, content), {
    ...createPageSecurityHeaders(),
    // The pasted request may contain a token.
    'cache-control': 'no-store',
  });

function translateForm(config: Config, text: string): HttpResponse {
  const parsed = parseRestRequests(text);
  if ('error' in parsed) return page(config, { text, results: [], error: parsed.error });
  const unique = new Map(parsed.requests.map((request) => [JSON.stringify(request), request]));
  const requests = [...unique.values()].slice(0, maxRequests);
  const results = requests.map((request) => ({ request, translated: translateRequest(request) }));
  const hidden = unique.size - requests.length;
  const error =
    hidden > 0 ? `Only the first ${maxRequests} of ${unique.size} requests are shown.` : undefined;
  return page(config, { text, results, error });
}

/** Body: `{method, path, headers?, body?}` for REST, `{query | documentId, operationName?, variables?}` for GraphQL. */
function translateJson(config: Config, text: string): HttpResponse {
  const value = parseJsonObject(text);
  if ('query' in value || 'documentId' in value) {
    const calls = findRestCalls(readGraphqlRequest(value));
    return jsonResponse(200, { calls }, { 'cache-control': 'no-store' });
  }
  const request = readRestRequest(value);
  const translated = translateRequest(request);
  if (!translated) throw new AppError('NOT_FOUND', `There is no route ${request.method} ${request.path}.`);
  const { parsedRoute, document, documentId = null, variables, errors } = translated;
  return jsonResponse(
    200,
    {
      operation: parsedRoute.route.operation.name,
      document,
      documentId,
      variables,
      fields: listFieldOrigins(parsedRoute),
      errors,
      typescript: formatClientCode(translated),
      graphiql: config.trustedOnly ? null : buildGraphiqlHref(translated),
    },
    { 'cache-control': 'no-store' },
  );
}

function parseJsonObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('BAD_REQUEST', 'The body is not valid JSON.');
  }
  return isPlainObject(value) ? value : {};
}

function readGraphqlRequest(value: Record<string, unknown>): GraphqlRequest {
  const { query, documentId, operationName } = value;
  const variables = value.variables ?? {};
  const isText = (part: unknown): part is string | undefined =>
    part === undefined || typeof part === 'string';
  if (!isText(query) || !isText(documentId) || !isText(operationName) || !isPlainObject(variables))
    throw new AppError(
      'BAD_REQUEST',
      'The body must be {"query" or "documentId", "operationName"?, "variables"?}.',
    );
  return { query, documentId, operationName, variables };
}

function readRestRequest({ method, path, headers = {}, body = {} }: Record<string, unknown>): RestRequest {
  if (
    typeof method !== 'string' ||
    typeof path !== 'string' ||
    !isPlainObject(headers) ||
    !Object.values(headers).every((header) => typeof header === 'string') ||
    !isPlainObject(body)
  )
    throw new AppError('BAD_REQUEST', 'The body must be {"method", "path", "headers"?, "body"?}.');
  const entries = Object.entries(headers).map(([name, header]) => [name.toLowerCase(), header]);
  return { method: method.toUpperCase(), path, headers: Object.fromEntries(entries), body };
}
