/** Required inputs, found by running the argument schema of each operation with inputs left out. */
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

/** Argument schemas read only the configuration and the protocol from the context. */
const ctx = { config: readConfig({}), request: { protocol: 'rest' } } as Context;

/** By coordinate, such as `CheckoutInput.items`. An input is required if every schema that contains it rejects its absence. */
export class RequiredInputs {
  readonly #counts = new Map<string, { rejected: number; tested: number }>();

  constructor(fields: readonly { owner: string; field: Field }[]) {
    for (const { owner, field } of fields) this.#testArguments(owner, field);
  }

  isRequired(coordinate: string): boolean {
    const counts = this.#counts.get(coordinate);
    return counts !== undefined && counts.rejected === counts.tested;
  }

  #testArguments(owner: string, field: Field): void {
    const rejected = this.#rejectedFields(field, {});
    for (const argument of field.args)
      this.#count(`${owner}.${field.name}.${argument.name}`, rejected.includes(argument.name));
    for (const { name, type } of field.args)
      this.#testInput(field, type, name === 'input' ? '' : `${name}.`, (value) => ({ [name]: value }), []);
  }

  /** Tests an empty input object, then the input objects nested in it. `ancestors` ends the recursion. */
  #testInput(
    field: Field,
    type: GraphQLInputType,
    path: string,
    toArguments: (value: unknown) => Record<string, unknown>,
    ancestors: readonly GraphQLInputObjectType[],
  ): void {
    const named = getNamedType(type);
    if (!isInputObjectType(named) || ancestors.includes(named)) return;
    const isList = isListType(getNullableType(type));
    const prefix = isList ? `${path}0.` : path;
    const wrap = (value: unknown) => toArguments(isList ? [value] : value);
    const rejected = this.#rejectedFields(field, wrap({}));
    for (const inner of Object.values(named.getFields())) {
      this.#count(`${named.name}.${inner.name}`, rejected.includes(prefix + inner.name));
      this.#testInput(
        field,
        inner.type,
        `${prefix}${inner.name}.`,
        (value) => wrap({ [inner.name]: value }),
        [...ancestors, named],
      );
    }
  }

  #count(coordinate: string, isRejected: boolean): void {
    const { rejected, tested } = this.#counts.get(coordinate) ?? { rejected: 0, tested: 0 };
    this.#counts.set(coordinate, { rejected: rejected + (isRejected ? 1 : 0), tested: tested + 1 });
  }

  /** Fields with errors when the schema parses these arguments and placeholders for the non-null ones. */
  #rejectedFields(field: Field, args: Record<string, unknown>): string[] {
    const parser = argumentParserOf(field);
    if (!parser) return [];
    const placeholders = field.args
      .filter(({ type }) => isNonNullType(type))
      .map(({ name, type }) => [name, isInputObjectType(getNamedType(type)) ? {} : 'x']);
    try {
      parser(ctx, { ...Object.fromEntries(placeholders), ...args });
      return [];
    } catch (error) {
      if (error instanceof AppError) return error.details.map((detail) => detail.field);
      throw error;
    }
  }
}
