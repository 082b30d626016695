/** The examples of the printed contract as requests, in its order, with what has to be asked before them. */
import type { Step } from '../parity/fixtures.ts';
import type { Person, TestApp } from './app.ts';
import { contract } from './contract-check.ts';

type Json = { [key: string]: Json } & { [key: string]: unknown };

/** What stands for `{name}` in a request. */
type Taken = Record<string, string>;

interface Request {
  path: string;
  body: Record<string, unknown> | undefined;
}

export interface ContractExample extends Request {
  name: string;
  method: string;
  as: 'admin' | 'guest';
  /** What it gets as it stands, or after what comes first. */
  status: number;
  first: readonly Step[];
  /** As it is printed, but for what was taken, and for what a step of another example has instead. */
  request(taken?: Taken, instead?: Pick<Sent, 'path' | 'body'>): Request;
}

type Sent = Extract<Step, { operationId: string }>;

const filled = (text: string, taken: Taken) =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => taken[name] ?? all);

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
  const shown = (place: string) => parameters.filter((one) => one.in === place && one.example !== undefined);
  const printed = operation.requestBody?.content?.['application/json']?.example as Request['body'];
  const example = operation['x-example'] as unknown as Pick<ContractExample, 'as'> & Partial<ContractExample>;
  const request: ContractExample['request'] = (taken = {}, instead = {}) => {
    const address = shown('path').reduce(
      (text, { name, example: value }) =>
        text.replace(`{${name}}`, encodeURIComponent(filled(instead.path?.[name] ?? String(value), taken))),
      path,
    );
    const query = new URLSearchParams(
      shown('query').map(({ name, example: value }) => [name, filled(String(value), taken)]),
    );
    const body = instead.body ?? printed;
    return {
      path: query.size > 0 ? `${address}?${query}` : address,
      body: body && JSON.parse(filled(JSON.stringify(body), taken)),
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

/** Asks what comes first, as the page of the reference does. */
export async function runPrerequisites(t: TestApp, { first }: ContractExample, as: Person): Promise<Taken> {
  const taken: Taken = { fresh: crypto.randomUUID() };
  for (const step of first) Object.assign(taken, await stepped(t, step, taken, as));
  return taken;
}

async function stepped(t: TestApp, step: Step, taken: Taken, as: Person): Promise<Taken> {
  const wanted = Object.entries(step.take ?? {});
  if ('outbox' in step) {
    const mails = await t.outbox(filled(step.outbox, taken));
    const tokenAt = (link: string) =>
      mails.map(({ text }) => text.split(`${link}?token=`)[1]?.split(/\s/)[0]).findLast(Boolean) ?? '';
    return Object.fromEntries(wanted.map(([name, link]) => [name, tokenAt(link)]));
  }
  const example = contractExamples.find(({ name }) => name === step.operationId);
  if (!example) throw new Error(`There is no ${step.operationId} to ask first.`);
  const { path, body } = example.request(taken, step);
  const answer = await t.rest<Json>(example.method, path, {
    as: step.bearer ? { ...as, token: filled(step.bearer, taken) } : as,
    headers: { accept: 'application/json' },
    ...(body ? { body } : {}),
  });
  if (answer.status !== 200) throw new Error(`${example.name} came first: ${JSON.stringify(answer.body)}`);
  const at = (pointer: string) =>
    pointer
      .slice(1)
      .split('/')
      .reduce<Json | undefined>((found, key) => found?.[key], answer.body);
  return Object.fromEntries(wanted.map(([name, pointer]) => [name, String(at(pointer))]));
}
