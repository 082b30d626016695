/** Compares two OpenAPI descriptions as a client would feel the difference. */
import type { Breakages, Json } from './breaking-changes.ts';
import { resolve } from './coordinate-usage.ts';

/** Requests may widen and answers may narrow; the other way round breaks. */
type Direction = 'request' | 'response';

export function compareOpenApi(old: Json, fresh: Json, breakages: Breakages): void {
  for (const [path, item] of Object.entries((old.paths ?? {}) as Json)) {
    for (const [method, operation] of Object.entries(item)) {
      const address = `${method.toUpperCase()} ${path}`;
      const now = fresh.paths?.[path]?.[method];
      if (now) new Comparison(old, fresh, address, breakages).operation(operation as Json, now);
      else
        breakages.add(String(operation['x-graphql-field'] ?? address), `${address} was removed.`, {
          rest: [address],
        });
    }
  }
}

class Comparison {
  readonly #old: Json;
  readonly #fresh: Json;
  readonly #address: string;
  readonly #breakages: Breakages;
  readonly #seen = new Set<string>();

  constructor(old: Json, fresh: Json, address: string, breakages: Breakages) {
    this.#old = old;
    this.#fresh = fresh;
    this.#address = address;
    this.#breakages = breakages;
  }

  operation(old: Json, fresh: Json): void {
    const isPublic = (one: Json) => Array.isArray(one.security) && one.security.length === 0;
    if (isPublic(old) && !isPublic(fresh)) this.#add(fresh, 'needs a token now');
    this.#parameters(old, fresh);
    const bodyOf = (one: Json) => one.requestBody?.content?.['application/json']?.schema;
    const [oldBody, freshBody] = [bodyOf(old), bodyOf(fresh)];
    if (oldBody && freshBody) this.#schema('body', oldBody, freshBody, 'request');
    if (!oldBody && freshBody && fresh.requestBody?.required) this.#add(fresh, 'needs a body now');
    const answerOf = (one: Json) => one.responses?.['200']?.content?.['application/json']?.schema;
    const [oldAnswer, freshAnswer] = [answerOf(old), answerOf(fresh)];
    if (oldAnswer && freshAnswer) this.#schema('answer', oldAnswer, freshAnswer, 'response');
    else if (oldAnswer) this.#add(old, 'answers no body any more');
  }

  #add(about: Json, what: string): void {
    const coordinate = about['x-graphql-field'] ?? about['x-graphql-type'] ?? this.#address;
    this.#breakages.add(String(coordinate), `${this.#address}: ${what}.`, { rest: [this.#address] });
  }

  #parameters(old: Json, fresh: Json): void {
    const read = (one: Json, whole: Json) =>
      ((one.parameters ?? []) as unknown as Json[]).map((part) =>
        part.$ref ? resolve(whole, String(part.$ref)) : part,
      );
    const [sent, sentNow] = [read(old, this.#old), read(fresh, this.#fresh)];
    const keyOf = (one: Json) => `${one.in} ${one.name}`;
    const known = new Map(sentNow.map((one) => [keyOf(one), one]));
    for (const parameter of sent) {
      const now = known.get(keyOf(parameter));
      if (!now) this.#add(parameter, `the ${parameter.in} parameter ${parameter.name} was removed`);
      else this.#schema(String(parameter.name), parameter.schema as Json, now.schema as Json, 'request', now);
    }
    const before = new Map(sent.map((one) => [keyOf(one), one]));
    for (const parameter of sentNow)
      if (parameter.required && !before.get(keyOf(parameter))?.required)
        this.#add(parameter, `the ${parameter.in} parameter ${parameter.name} is required now`);
  }

  #schema(
    path: string,
    oldSchema: Json,
    freshSchema: Json,
    direction: Direction,
    about: Json = freshSchema,
  ): void {
    const pair = `${direction} ${oldSchema.$ref ?? ''} ${freshSchema.$ref ?? ''}`;
    if (oldSchema.$ref && freshSchema.$ref) {
      if (this.#seen.has(pair)) return;
      this.#seen.add(pair);
    }
    const [old, fresh] = [this.#resolved(this.#old, oldSchema), this.#resolved(this.#fresh, freshSchema)];
    this.#types(path, old, fresh, direction, about);
    this.#values(path, old, fresh, direction, about);
    if (old.items && fresh.items) this.#schema(`${path}[]`, old.items, fresh.items, direction, about);
    if (old.properties) this.#properties(path, old, fresh, direction);
    this.#alternatives(path, old, fresh, direction, about);
  }

  #resolved(document: Json, schema: Json): Json {
    return typeof schema.$ref === 'string' ? resolve(document, schema.$ref) : schema;
  }

  #types(path: string, old: Json, fresh: Json, direction: Direction, about: Json): void {
    const typesOf = (one: Json) => (one.type === undefined ? undefined : ([one.type].flat() as unknown[]));
    const [before, after] = [typesOf(old), typesOf(fresh)];
    if (!before || !after) return;
    const [wide, narrow] = direction === 'request' ? [after, before] : [before, after];
    const fits = (type: unknown) => wide.includes(type) || (type === 'integer' && wide.includes('number'));
    if (!narrow.every(fits))
      this.#add(about, `${path} is ${after.join(' or ')} instead of ${before.join(' or ')}`);
  }

  #values(path: string, old: Json, fresh: Json, direction: Direction, about: Json): void {
    if (!Array.isArray(old.enum) || !Array.isArray(fresh.enum)) return;
    const [allowed, used] =
      direction === 'request' ? [fresh.enum, old.enum] : ([old.enum, fresh.enum] as unknown[][]);
    const lost = (used as unknown[]).filter((value) => !(allowed as unknown[]).includes(value));
    if (lost.length === 0) return;
    const how = direction === 'request' ? 'no longer takes' : 'may now be';
    this.#add(fresh['x-graphql-type'] ? fresh : about, `${path} ${how} ${lost.join(', ')}`);
  }

  #properties(path: string, old: Json, fresh: Json, direction: Direction): void {
    const requiredOf = (one: Json) => new Set((one.required as unknown as string[] | undefined) ?? []);
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

  #alternatives(path: string, old: Json, fresh: Json, direction: Direction, about: Json): void {
    const branchesOf = (one: Json) => (Array.isArray(one.anyOf) ? (one.anyOf as Json[]) : undefined);
    const [before, after] = [branchesOf(old), branchesOf(fresh)];
    if (!before && !after) return;
    if (before && after && before.length === after.length) {
      for (const [index, branch] of before.entries())
        this.#schema(path, branch, after[index] as Json, direction);
    } else if (direction === 'response') this.#add(about, `${path} has other alternatives now`);
  }
}
