/** Examples of the printed OpenAPI as requests, in its order, with their prerequisite requests. */
import type { Step } from '../parity/fixtures.ts';
import type { Person, TestApp } from './app.ts';
import { contract } from './contract-check.ts';

type Json = { [key: string]: Json } & { [key: string]: unknown };

/** Values for the `{name}` placeholders of a request. */
type PlaceholderValues = Record<string, string>;

interface Request {
  path: string;
  body: Record<string, unknown> | undefined;
}

export interface ContractExample extends Request {
  name: string;
  method: string;
  as: 'admin' | 'guest';
  /** Status of the response, after the prerequisites. */
  status: number;
  first: readonly Step[];
  /** The printed request with placeholders filled in; `overrides` are the path and body that a prerequisite step prescribes. */
  request(values?: PlaceholderValues, overrides?: Pick<RequestStep, 'path' | 'body'>): Request;
}

type RequestStep = Extract<Step, { operationId: string }>;

const fillPlaceholders = (text: string, values: PlaceholderValues) =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);

export const contractExamples: readonly ContractExample[] = Object.entries(contract.paths).flatMap(
  ([path, item]) =>
    Object.entries(item as Json)
      .filter(([, operation]) => operation['x-example'])
      .map(([method, operation]) => toExample(path, method, operation)),
);

function toExample(path: string, method: string, operation: Json): ContractExample {
  const parameters = (operation.parameters ?? []) as unknown as {
    in: string;
    name: string;
    example?: unknown;
  }[];
  const parametersIn = (location: string) =>
    parameters.filter((parameter) => parameter.in === location && parameter.example !== undefined);
  const printedBody = operation.requestBody?.content?.['application/json']?.example as Request['body'];
  const example = operation['x-example'] as unknown as Pick<ContractExample, 'as'> & Partial<ContractExample>;
  const request: ContractExample['request'] = (values = {}, overrides = {}) => {
    const filledPath = parametersIn('path').reduce(
      (text, { name, example: value }) =>
        text.replace(
          `{${name}}`,
          encodeURIComponent(fillPlaceholders(overrides.path?.[name] ?? String(value), values)),
        ),
      path,
    );
    const query = new URLSearchParams(
      parametersIn('query').map(({ name, example: value }) => [
        name,
        fillPlaceholders(String(value), values),
      ]),
    );
    const body = overrides.body ?? printedBody;
    return {
      path: query.size > 0 ? `${filledPath}?${query}` : filledPath,
      body: body && JSON.parse(fillPlaceholders(JSON.stringify(body), values)),
    };
  };
  return {
    name: String(operation.operationId),
    method: method.toUpperCase(),
    as: example.as,
    status: example.status ?? 200,
    first: example.first ?? [],
    ...request(),
    request,
  };
}

/** Sends the prerequisite requests, as the reference page does, and returns the values taken from their responses. */
export async function runPrerequisites(
  t: TestApp,
  { first }: ContractExample,
  as: Person,
): Promise<PlaceholderValues> {
  const values: PlaceholderValues = { fresh: crypto.randomUUID() };
  for (const step of first) Object.assign(values, await runStep(t, step, values, as));
  return values;
}

async function runStep(
  t: TestApp,
  step: Step,
  values: PlaceholderValues,
  as: Person,
): Promise<PlaceholderValues> {
  const extractions = Object.entries(step.take ?? {});
  if ('outbox' in step) {
    const mails = await t.outbox(fillPlaceholders(step.outbox, values));
    const tokenAt = (link: string) =>
      mails.map(({ text }) => text.split(`${link}?token=`)[1]?.split(/\s/)[0]).findLast(Boolean) ?? '';
    return Object.fromEntries(extractions.map(([name, link]) => [name, tokenAt(link)]));
  }
  const example = contractExamples.find(({ name }) => name === step.operationId);
  if (!example) throw new Error(`No example ${step.operationId} for a prerequisite.`);
  const { path, body } = example.request(values, step);
  const response = await t.rest<Json>(example.method, path, {
    as: step.bearer ? { ...as, token: fillPlaceholders(step.bearer, values) } : as,
    headers: { accept: 'application/json' },
    ...(body ? { body } : {}),
  });
  if (response.status !== 200)
    throw new Error(`Prerequisite ${example.name} failed: ${JSON.stringify(response.body)}`);
  const valueAt = (pointer: string) =>
    pointer
      .slice(1)
      .split('/')
      .reduce<Json | undefined>((node, key) => node?.[key], response.body);
  return Object.fromEntries(extractions.map(([name, pointer]) => [name, String(valueAt(pointer))]));
}
