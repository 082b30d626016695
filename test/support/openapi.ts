/** Holds every REST answer of the suite against the printed contract. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApi } from '../../scripts/openapi/print.ts';
import { rows } from '../../src/generated/domains/rows.ts';
import { createMatcher } from '../../src/rest/match.ts';

export interface SeenAnswer {
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

const matcher = createMatcher(rows);
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
export function holdAgainstContract(answer: SeenAnswer): void {
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
  const found = matcher.match(answer.method, path);
  if (!found || !('row' in found)) {
    if (answer.status >= 400) check(answer, validatorOf('error', errorSchema), complain);
    return;
  }
  const { row } = found;
  const operation = contract.paths[row.path.replace(/:(\w+)/g, '{$1}')]?.[row.method.toLowerCase()];
  const responses = operation?.responses as Record<string, ContractResponse> | undefined;
  const listed = responses?.[answer.status] ?? complain('this status is not listed.');
  const response = resolve(listed);
  for (const name of Object.keys(response.headers ?? {}))
    if (name !== 'Retry-After' && name !== 'Link' && !answer.headers.has(name))
      complain(`the header ${name} is missing.`);
  const content = response.content?.['application/json'];
  if (!content) {
    if (answer.text !== '') complain('there should be no body.');
    return;
  }
  const key = listed.$ref ?? `${row.method} ${row.path} ${answer.status}`;
  check(
    answer,
    validatorOf(key, () => content.schema),
    complain,
  );
}

function resolve(response: ContractResponse): ContractResponse {
  if (!response.$ref) return response;
  const name = response.$ref.split('/').at(-1) ?? '';
  return (contract.components.responses as Record<string, ContractResponse>)[name] ?? response;
}

function check(answer: SeenAnswer, validate: ValidateFunction, complain: (what: string) => never): void {
  if (answer.headers.get('content-type') !== 'application/json; charset=utf-8')
    complain(`the content type is ${answer.headers.get('content-type')}.`);
  if (!validate(JSON.parse(answer.text))) complain(ajv.errorsText(validate.errors, { separator: '; ' }));
}
