/** Compares two OpenAPI documents and collects the changes that break clients. */
import type { BreakingChanges, Json } from './breaking-changes.ts';
import { resolveRef } from './coordinate-usage.ts';

/** Requests may accept more and responses may contain fewer values; the opposite breaks clients. */
type Direction = 'request' | 'response';

export function compareOpenApi(old: Json, fresh: Json, changes: BreakingChanges): void {
  for (const [path, item] of Object.entries((old.paths ?? {}) as Json)) {
    for (const [method, operation] of Object.entries(item)) {
      const address = `${method.toUpperCase()} ${path}`;
      const freshOperation = fresh.paths?.[path]?.[method];
      if (freshOperation)
        new Comparison(old, fresh, address, changes).operation(operation as Json, freshOperation);
      else
        changes.add(String(operation['x-graphql-field'] ?? address), `${address} was removed.`, {
          rest: [address],
        });
    }
  }
}

class Comparison {
  readonly #old: Json;
  readonly #fresh: Json;
  readonly #address: string;
  readonly #changes: BreakingChanges;
  readonly #comparedPairs = new Set<string>();

  constructor(old: Json, fresh: Json, address: string, changes: BreakingChanges) {
    this.#old = old;
    this.#fresh = fresh;
    this.#address = address;
    this.#changes = changes;
  }

  operation(old: Json, fresh: Json): void {
    const isPublic = ({ security }: Json) => Array.isArray(security) && security.length === 0;
    if (isPublic(old) && !isPublic(fresh)) this.#add(fresh, 'needs a token now');
    this.#parameters(old, fresh);
    const bodyOf = ({ requestBody }: Json) => requestBody?.content?.['application/json']?.schema;
    const [oldBody, freshBody] = [bodyOf(old), bodyOf(fresh)];
    if (oldBody && freshBody) this.#schema('body', oldBody, freshBody, 'request');
    if (!oldBody && freshBody && fresh.requestBody?.required) this.#add(fresh, 'needs a body now');
    const responseOf = ({ responses }: Json) => responses?.['200']?.content?.['application/json']?.schema;
    const [oldResponse, freshResponse] = [responseOf(old), responseOf(fresh)];
    if (oldResponse && freshResponse) this.#schema('response', oldResponse, freshResponse, 'response');
    else if (oldResponse) this.#add(old, 'no longer returns a body');
  }

  #add(subject: Json, change: string): void {
    const coordinate = subject['x-graphql-field'] ?? subject['x-graphql-type'] ?? this.#address;
    this.#changes.add(String(coordinate), `${this.#address}: ${change}.`, { rest: [this.#address] });
  }

  #parameters(old: Json, fresh: Json): void {
    const parametersOf = (operation: Json, document: Json) =>
      ((operation.parameters ?? []) as unknown as Json[]).map((parameter) =>
        parameter.$ref ? resolveRef(document, String(parameter.$ref)) : parameter,
      );
    const keyOf = (parameter: Json) => `${parameter.in} ${parameter.name}`;
    const byKey = (parameters: readonly Json[]) =>
      new Map(parameters.map((parameter) => [keyOf(parameter), parameter]));
    const oldParameters = byKey(parametersOf(old, this.#old));
    const freshParameters = byKey(parametersOf(fresh, this.#fresh));
    for (const [key, parameter] of oldParameters) {
      const now = freshParameters.get(key);
      if (!now) this.#add(parameter, `the ${parameter.in} parameter ${parameter.name} was removed`);
      else this.#schema(String(parameter.name), parameter.schema as Json, now.schema as Json, 'request', now);
    }
    for (const [key, parameter] of freshParameters)
      if (parameter.required && !oldParameters.get(key)?.required)
        this.#add(parameter, `the ${parameter.in} parameter ${parameter.name} is required now`);
  }

  #schema(
    path: string,
    oldSchema: Json,
    freshSchema: Json,
    direction: Direction,
    subject: Json = freshSchema,
  ): void {
    const pair = `${direction} ${oldSchema.$ref ?? ''} ${freshSchema.$ref ?? ''}`;
    if (oldSchema.$ref && freshSchema.$ref) {
      if (this.#comparedPairs.has(pair)) return;
      this.#comparedPairs.add(pair);
    }
    const [old, fresh] = [this.#resolved(this.#old, oldSchema), this.#resolved(this.#fresh, freshSchema)];
    this.#types(path, old, fresh, direction, subject);
    this.#values(path, old, fresh, direction, subject);
    if (old.items && fresh.items) this.#schema(`${path}[]`, old.items, fresh.items, direction, subject);
    if (old.properties) this.#properties(path, old, fresh, direction);
    this.#alternatives(path, old, fresh, direction, subject);
  }

  #resolved(document: Json, schema: Json): Json {
    return typeof schema.$ref === 'string' ? resolveRef(document, schema.$ref) : schema;
  }

  #types(path: string, old: Json, fresh: Json, direction: Direction, subject: Json): void {
    const typesOf = ({ type }: Json) => (type === undefined ? undefined : ([type].flat() as unknown[]));
    const [before, after] = [typesOf(old), typesOf(fresh)];
    if (!before || !after) return;
    const [allowed, used] = direction === 'request' ? [after, before] : [before, after];
    const isAllowed = (type: unknown) =>
      allowed.includes(type) || (type === 'integer' && allowed.includes('number'));
    if (!used.every(isAllowed))
      this.#add(subject, `${path} is ${after.join(' or ')} instead of ${before.join(' or ')}`);
  }

  #values(path: string, old: Json, fresh: Json, direction: Direction, subject: Json): void {
    if (!Array.isArray(old.enum) || !Array.isArray(fresh.enum)) return;
    const [allowed, used] =
      direction === 'request' ? [fresh.enum, old.enum] : ([old.enum, fresh.enum] as unknown[][]);
    const unexpected = (used as unknown[]).filter((value) => !(allowed as unknown[]).includes(value));
    if (unexpected.length === 0) return;
    const change = direction === 'request' ? 'no longer accepts' : 'may now be';
    this.#add(fresh['x-graphql-type'] ? fresh : subject, `${path} ${change} ${unexpected.join(', ')}`);
  }

  #properties(path: string, old: Json, fresh: Json, direction: Direction): void {
    const requiredOf = (schema: Json) => new Set((schema.required as unknown as string[] | undefined) ?? []);
    const [before, after] = [requiredOf(old), requiredOf(fresh)];
    const properties = (fresh.properties ?? {}) as Json;
    for (const [name, property] of Object.entries(old.properties ?? {})) {
      const now = properties[name];
      if (!now) {
        this.#add(property as Json, `${path}.${name} was removed`);
        continue;
      }
      if (direction === 'response' && before.has(name) && !after.has(name))
        this.#add(now, `${path}.${name} may be absent now`);
      this.#schema(`${path}.${name}`, property as Json, now, direction);
    }
    if (direction === 'request')
      for (const name of after)
        if (!before.has(name))
          this.#add((properties[name] ?? fresh) as Json, `${path}.${name} is required now`);
  }

  #alternatives(path: string, old: Json, fresh: Json, direction: Direction, subject: Json): void {
    const branchesOf = ({ anyOf }: Json) => (Array.isArray(anyOf) ? (anyOf as Json[]) : undefined);
    const [before, after] = [branchesOf(old), branchesOf(fresh)];
    if (!before && !after) return;
    if (before && after && before.length === after.length) {
      for (const [index, branch] of before.entries())
        this.#schema(path, branch, after[index] as Json, direction);
    } else if (direction === 'response') this.#add(subject, `${path} has other alternatives now`);
  }
}
