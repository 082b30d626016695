/** What a request cannot leave out: each operation's own check is asked about requests without it. */
import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { readConfig } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import { AppError } from '../../src/errors.ts';
import { argumentParserOf } from '../../src/graphql/schema/validated-resolver.ts';

type Field = GraphQLField<unknown, Context>;

/** Checks look at the configuration and at nothing else. */
const ctx = { config: readConfig({}) } as Context;

/** By the name of its place, such as `CheckoutInput.items`: whether every check that meets it refuses its absence. */
export class RequiredInputs {
  readonly #asked = new Map<string, { refused: number; asked: number }>();

  constructor(fields: readonly { owner: string; field: Field }[]) {
    for (const { owner, field } of fields) this.#ask(owner, field);
  }

  isRequired(place: string): boolean {
    const found = this.#asked.get(place);
    return found !== undefined && found.refused === found.asked;
  }

  #ask(owner: string, field: Field): void {
    const faults = this.#faultsWith(field, {});
    for (const argument of field.args)
      this.#note(`${owner}.${field.name}.${argument.name}`, faults.includes(argument.name));
    for (const { name, type } of field.args)
      this.#below(field, type, name === 'input' ? '' : `${name}.`, (value) => ({ [name]: value }), []);
  }

  /** Asks about an input object with nothing in it, then about those that may stand inside it. */
  #below(
    field: Field,
    type: GraphQLInputType,
    path: string,
    around: (value: unknown) => Record<string, unknown>,
    open: readonly GraphQLInputObjectType[],
  ): void {
    const named = getNamedType(type);
    if (!isInputObjectType(named) || open.includes(named)) return;
    const isList = isListType(getNullableType(type));
    const at = isList ? `${path}0.` : path;
    const wrap = (value: unknown) => around(isList ? [value] : value);
    const faults = this.#faultsWith(field, wrap({}));
    for (const inner of Object.values(named.getFields())) {
      this.#note(`${named.name}.${inner.name}`, faults.includes(at + inner.name));
      this.#below(field, inner.type, `${at}${inner.name}.`, (value) => wrap({ [inner.name]: value }), [
        ...open,
        named,
      ]);
    }
  }

  #note(place: string, refused: boolean): void {
    const found = this.#asked.get(place) ?? { refused: 0, asked: 0 };
    this.#asked.set(place, { refused: found.refused + (refused ? 1 : 0), asked: found.asked + 1 });
  }

  /** What is wrong with arguments that hold what the schema insists on, and what is given. */
  #faultsWith(field: Field, given: Record<string, unknown>): string[] {
    const parser = argumentParserOf(field);
    if (!parser) return [];
    const always = field.args
      .filter(({ type }) => isNonNullType(type))
      .map(({ name, type }) => [name, isInputObjectType(getNamedType(type)) ? {} : 'x']);
    try {
      parser(ctx, { ...Object.fromEntries(always), ...given });
      return [];
    } catch (error) {
      if (error instanceof AppError) return error.details.map((detail) => detail.field);
      throw error;
    }
  }
}
