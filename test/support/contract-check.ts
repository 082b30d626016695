/** Validates every REST response of the suite against the printed OpenAPI. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApi } from '../../scripts/openapi/print.ts';
import { routes } from '../../src/generated/domains/routes.ts';
import { createRouteMatcher } from '../../src/rest/route-matcher.ts';

export interface ObservedResponse {
  method: string;
  /** Path with query string. */
  path: string;
  status: number;
  headers: Headers;
  text: string;
}

interface ContractResponse {
  $ref?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: object }>;
}

export const contract: OpenApi = JSON.parse(readFileSync('schema/openapi.json', 'utf8'));

const matcher = createRouteMatcher(routes);
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(
  forbidAdditionalProperties({
    $id: 'contract:',
    components: { schemas: contract.components.schemas },
  }) as object,
);
const validators = new Map<string, ValidateFunction>();

/** Forbids undocumented properties. (The published contract allows them, because later versions may add some.) */
function forbidAdditionalProperties(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forbidAdditionalProperties);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' ? `contract:${inner}` : key === 'examples' ? inner : forbidAdditionalProperties(inner),
    ]),
  );
  return copy.type === 'object' && copy.properties ? { additionalProperties: false, ...copy } : copy;
}

function validatorOf(key: string, schemaOf: () => object): ValidateFunction {
  let validate = validators.get(key);
  if (!validate) {
    validate = ajv.compile(forbidAdditionalProperties(schemaOf()) as object);
    validators.set(key, validate);
  }
  return validate;
}

const errorSchema = () => ({ $ref: '#/components/schemas/Error' });

/** Throws an error that explains the difference if a response under /v1 does not match the contract. */
export function assertMatchesContract(observed: ObservedResponse): void {
  const path = observed.path.split('?')[0] ?? '';
  if (
    !path.startsWith('/v1/') ||
    path === '/v1/openapi.json' ||
    observed.method === 'HEAD' ||
    observed.method === 'OPTIONS'
  )
    return;
  const fail = (problem: string): never => {
    throw new Error(
      `${observed.method} ${observed.path} answered ${observed.status}, which violates the contract: ${problem}\n${observed.text.slice(0, 2000)}`,
    );
  };
  if (!observed.headers.get('x-request-id')) fail('X-Request-Id is missing.');
  const undocumented = [...observed.headers.keys()].filter(
    (name) => !describedHeaders.has(name) && !standardHeaders.test(name),
  );
  if (undocumented.length > 0) fail(`the contract does not describe the headers ${undocumented.join(', ')}.`);
  const template = templateOf(observed.method, path);
  const operation = contract.paths[template]?.[observed.method.toLowerCase()];
  if (!operation) {
    if (observed.status >= 400) assertContentType(observed, { 'application/json': {} }, fail);
    if (observed.status >= 400) assertValidBody(observed, validatorOf('error', errorSchema), fail);
    return;
  }
  const responses = operation.responses as Record<string, ContractResponse>;
  const documented = responses[observed.status] ?? fail('this status is not listed.');
  const response = resolve(documented);
  const type = mediaTypeOf(observed);
  for (const name of Object.keys(response.headers ?? {}))
    if (!isOptionalHeader(name, type) && !observed.headers.has(name)) fail(`the header ${name} is missing.`);
  if (!response.content) {
    if (observed.text !== '') fail('there should be no body.');
    return;
  }
  assertContentType(observed, response.content, fail);
  const content = response.content[type];
  if (type !== 'application/json' || !content) return;
  const key = documented.$ref ?? `${observed.method} ${template} ${observed.status}`;
  assertValidBody(
    observed,
    validatorOf(key, () => content.schema),
    fail,
  );
}

/** Throws if a webhook message does not match the schema of its type or has undocumented properties. */
export function assertWebhookMatchesContract(message: unknown): void {
  const { type } = message as { type: string };
  const validate = validatorOf(`webhook ${type}`, () => {
    const webhooks = contract.webhooks as Record<string, { post: { requestBody: ContractResponse } }>;
    const schema = webhooks[type]?.post.requestBody.content?.['application/json']?.schema;
    if (!schema) throw new Error(`The contract has no event ${type}.`);
    return schema;
  });
  if (!validate(message))
    throw new Error(`${ajv.errorsText(validate.errors, { separator: '; ' })}\n${JSON.stringify(message)}`);
}

function resolve(response: ContractResponse): ContractResponse {
  if (!response.$ref) return response;
  const name = response.$ref.split('/').at(-1) ?? '';
  return (contract.components.responses as Record<string, ContractResponse>)[name] ?? response;
}

/** Path template in the contract; the path itself if no route matches. */
function templateOf(method: string, path: string): string {
  const match = matcher.match(method, path);
  if (match && 'route' in match) return match.route.path.replace(/:(\w+)/g, '{$1}');
  const templates = Object.keys(contract.paths).filter(
    (template) => contract.paths[template]?.[method.toLowerCase()],
  );
  return (
    templates.find((template) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`).test(path)) ??
    path
  );
}

const mediaTypeOf = ({ headers }: ObservedResponse) => headers.get('content-type')?.split(';')[0] ?? '';

/** Headers that a response may omit: `Link` on the last page, `ETag` on HTML pages, and those that are sent only under a condition. */
const isOptionalHeader = (header: string, type: string) =>
  /^(?:Retry-After|Link|RateLimit-.+|Deprecation|Sunset|X-Consistency-Token|X-Ignored-Fields|Location)$/.test(
    header,
  ) ||
  (header === 'ETag' && type === 'text/html');

const describedHeaders: ReadonlySet<string> = new Set(
  Object.keys(contract.components.headers as object).map((name) => name.toLowerCase()),
);

/** Headers that the contract need not describe: standard HTTP, those for browsers, and the surrogate keys for shared caches. */
export const standardHeaders =
  /^(?:access-control-.+|content-.+|cache-control|vary|location|referrer-policy|x-robots-tag|x-content-type-options|date|connection|keep-alive|transfer-encoding|xkey|surrogate-key|cache-tag)$/;

/** The media type `application/problem+json` defines no charset parameter. */
const charset = (type: string) => (/^application\/problem\+json$/.test(type) ? '' : '; charset=utf-8');

/** Checks that the contract lists the content type for this response. */
function assertContentType(
  observed: ObservedResponse,
  content: object,
  fail: (problem: string) => never,
): void {
  const webhooks = observed.headers.get('content-type');
  const isDocumented = Object.keys(content).some((type) => webhooks === `${type}${charset(type)}`);
  if (!isDocumented) fail(`the content type is ${webhooks}.`);
}

function assertValidBody(
  observed: ObservedResponse,
  validate: ValidateFunction,
  fail: (problem: string) => never,
): void {
  if (!validate(JSON.parse(observed.text))) fail(ajv.errorsText(validate.errors, { separator: '; ' }));
}
