/** Holds every REST answer of the suite against the printed contract. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApi } from '../../scripts/openapi/print.ts';
import { routes } from '../../src/generated/domains/routes.ts';
import { createRouteMatcher } from '../../src/rest/route-matcher.ts';

export interface ObservedResponse {
  method: string;
  /** Path with query. */
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
ajv.addSchema(closed({ $id: 'contract:', components: { schemas: contract.components.schemas } }) as object);
const validators = new Map<string, ValidateFunction>();

/** Clients must expect new properties; the suite must not find any that the contract does not name. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' ? `contract:${inner}` : key === 'examples' ? inner : closed(inner),
    ]),
  );
  return copy.type === 'object' && copy.properties ? { additionalProperties: false, ...copy } : copy;
}

function validatorOf(key: string, schemaOf: () => object): ValidateFunction {
  let validate = validators.get(key);
  if (!validate) {
    validate = ajv.compile(closed(schemaOf()) as object);
    validators.set(key, validate);
  }
  return validate;
}

const errorSchema = () => ({ $ref: '#/components/schemas/Error' });

/** Throws, saying what is wrong, when an answer under /v1 is not one the contract allows. */
export function assertMatchesContract(answer: ObservedResponse): void {
  const path = answer.path.split('?')[0] ?? '';
  if (
    !path.startsWith('/v1/') ||
    path === '/v1/openapi.json' ||
    answer.method === 'HEAD' ||
    answer.method === 'OPTIONS'
  )
    return;
  const complain = (what: string): never => {
    throw new Error(
      `${answer.method} ${answer.path} answered ${answer.status}, against the contract: ${what}\n${answer.text.slice(0, 2000)}`,
    );
  };
  if (!answer.headers.get('x-request-id')) complain('X-Request-Id is missing.');
  const unknown = [...answer.headers.keys()].filter(
    (name) => !describedHeaders.has(name) && !standardHeaders.test(name),
  );
  if (unknown.length > 0) complain(`the contract does not describe the headers ${unknown.join(', ')}.`);
  const place = placeOf(answer.method, path);
  const operation = contract.paths[place]?.[answer.method.toLowerCase()];
  if (!operation) {
    if (answer.status >= 400) checkType(answer, { 'application/json': {} }, complain);
    if (answer.status >= 400) check(answer, validatorOf('error', errorSchema), complain);
    return;
  }
  const responses = operation.responses as Record<string, ContractResponse>;
  const listed = responses[answer.status] ?? complain('this status is not listed.');
  const response = resolve(listed);
  const type = typeOf(answer);
  for (const name of Object.keys(response.headers ?? {}))
    if (!mayLack(name, type) && !answer.headers.has(name)) complain(`the header ${name} is missing.`);
  if (!response.content) {
    if (answer.text !== '') complain('there should be no body.');
    return;
  }
  checkType(answer, response.content, complain);
  const content = response.content[type];
  if (type !== 'application/json' || !content) return;
  const key = listed.$ref ?? `${answer.method} ${place} ${answer.status}`;
  check(
    answer,
    validatorOf(key, () => content.schema),
    complain,
  );
}

/** The same for what endpoints are sent: throws unless it is a message of its type, with no property that is not named. */
export function assertWebhookMatchesContract(message: unknown): void {
  const { type } = message as { type: string };
  const validate = validatorOf(`webhook ${type}`, () => {
    const sent = contract.webhooks as Record<string, { post: { requestBody: ContractResponse } }>;
    const schema = sent[type]?.post.requestBody.content?.['application/json']?.schema;
    if (!schema) throw new Error(`The contract knows no event ${type}.`);
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

/** A path of the contract; the path itself where no row is. */
function placeOf(method: string, path: string): string {
  const found = matcher.match(method, path);
  if (found && 'route' in found) return found.route.path.replace(/:(\w+)/g, '{$1}');
  const pages = Object.keys(contract.paths).filter((one) => contract.paths[one]?.[method.toLowerCase()]);
  return pages.find((one) => new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}/?$`).test(path)) ?? path;
}

const typeOf = ({ headers }: ObservedResponse) => headers.get('content-type')?.split(';')[0] ?? '';

/** Only the last page has no link, only what is a record has a version, and others come with their reason. */
const mayLack = (header: string, type: string) =>
  /^(?:Retry-After|Link|RateLimit-.+|Deprecation|Sunset|X-Consistency-Token)$/.test(header) ||
  (header === 'ETag' && type === 'text/html');

const describedHeaders: ReadonlySet<string> = new Set(
  Object.keys(contract.components.headers as object).map((name) => name.toLowerCase()),
);

/** What HTTP means by itself, and what browsers alone read. */
export const standardHeaders =
  /^(?:access-control-.+|content-.+|cache-control|vary|location|referrer-policy|x-robots-tag|x-content-type-options|date|connection|keep-alive|transfer-encoding)$/;

/** Types without a character set say so in their definition. */
const charset = (type: string) => (/^application\/problem\+json$/.test(type) ? '' : '; charset=utf-8');

/** The type is one that the contract names for this answer. */
function checkType(answer: ObservedResponse, content: object, complain: (what: string) => never): void {
  const sent = answer.headers.get('content-type');
  const isListed = Object.keys(content).some((type) => sent === `${type}${charset(type)}`);
  if (!isListed) complain(`the content type is ${sent}.`);
}

function check(answer: ObservedResponse, validate: ValidateFunction, complain: (what: string) => never): void {
  if (!validate(JSON.parse(answer.text))) complain(ajv.errorsText(validate.errors, { separator: '; ' }));
}
