/** Puts the check of a root field's arguments beside its resolver, so that a refusal can ask for it without running anything. */
import type { GraphQLField } from 'graphql';
import type { z } from 'zod';
import { assertBusinessExists } from '../../auth/assert-business.ts';
import type { Context } from '../../context.ts';
import type { ErrorDetail } from '../../errors.ts';
import { memoizeOnArguments } from '../../lib/cache/memoize-on-arguments.ts';
import { type InputParser, parseInput } from '../../lib/validation/input.ts';

/** Returns the checked arguments, or throws their faults together with the ones that are known already. */
type Parser<Output> = ((ctx: Context, args: unknown, known?: readonly ErrorDetail[]) => Output) & {
  /** The schema, where there is one that does not depend on the configuration. */
  readonly schema?: z.ZodType | undefined;
};

/** A schema, or how to make it where it depends on the configuration. */
type Check<Schema extends z.ZodType> = Schema | ((ctx: Context) => Schema);

type Resolve<Input, Output> = (args: Input, ctx: Context, sent: object) => Output;

/** Options of a field whose resolver gets checked arguments, and as third parameter what was sent. */
export const validatedField = <Schema extends z.ZodType, Output>(
  check: Check<Schema>,
  resolve: Resolve<z.output<Schema>, Output>,
) => parsedField(parserOf(check), resolve);

/** The same for arguments that are refused in a way of their own. */
export const parsedField = <Input, Output>(parser: Parser<Input>, resolve: Resolve<Input, Output>) => ({
  extensions: { [key]: parser },
  resolve: (_root: unknown, args: object, ctx: Context) => {
    let input: Input;
    try {
      // What the schema says of arguments is the same for everybody who sends them.
      input = parser.schema
        ? memoizeOnArguments(args, parser, () => parser(ctx, args) as Input & object)
        : parser(ctx, args);
    } catch (faults) {
      return rejectInBusiness(ctx, args, faults);
    }
    return resolve(input, ctx, args);
  },
});

/** Throws the faults of arguments, unless the business they are sent to does not exist: there is nothing to say about it then. */
export async function rejectInBusiness(ctx: Context, args: object, faults: unknown): Promise<never> {
  if ('businessId' in args && typeof args.businessId === 'string')
    await assertBusinessExists(ctx, args.businessId);
  throw faults;
}

/**
 * The same for a use case that finds more faults in the database: it gets what was sent, and a function that takes what it found
 * and returns the checked arguments, or throws all faults at once.
 */
export const deferredValidationField = <Schema extends z.ZodType, Sent extends object, Output>(
  check: Check<Schema>,
  resolve: (sent: Sent, accept: InputParser<z.output<Schema>>, ctx: Context) => Output,
) => {
  const parser = parserOf(check);
  return {
    extensions: { [key]: parser },
    resolve: (_root: unknown, sent: Sent, ctx: Context) =>
      resolve(sent, (found) => parser(ctx, sent, found), ctx),
  };
};

export const argumentParserOf = (field: GraphQLField<unknown, Context>) =>
  field.extensions[key] as Parser<unknown> | undefined;

const key = 'duetCheck';

const parserOf = <Schema extends z.ZodType>(check: Check<Schema>): Parser<z.output<Schema>> =>
  Object.assign(
    (ctx: Context, args: unknown, known: readonly ErrorDetail[] = []) =>
      parseInput(typeof check === 'function' ? check(ctx) : check, args, known),
    { schema: typeof check === 'function' ? undefined : check },
  );
