/**
 * Field options that validate the arguments of a root field with zod; the parser is also stored in the field's extensions, for
 * execute/authorize-before-variable-errors.ts.
 */
import type { GraphQLField } from 'graphql';
import type { z } from 'zod';
import { assertBusinessExists } from '../../auth/assert-business-exists.ts';
import type { Context } from '../../context.ts';
import type { ErrorDetail } from '../../errors.ts';
import { memoizeOnArguments } from '../../lib/cache/hidden-property.ts';
import { type InputParser, parseInput } from '../../lib/validation/input.ts';

/** Returns the validated arguments, or throws their errors together with `existingErrors`. */
type Parser<Output> = ((ctx: Context, args: unknown, existingErrors?: readonly ErrorDetail[]) => Output) & {
  /** Set if the schema does not depend on the configuration. */
  readonly schema?: z.ZodType | undefined;
};

/** A schema, or a function that creates it from the configuration. */
type SchemaSource<Schema extends z.ZodType> = Schema | ((ctx: Context) => Schema);

type Resolve<Input, Output> = (ctx: Context, input: Input, rawArgs: object) => Output;

/** Options of a field whose resolver, usually a use case, receives validated arguments; its third parameter is the arguments as sent. */
export const validatedField = <Schema extends z.ZodType, Output>(
  schema: SchemaSource<Schema>,
  resolve: Resolve<z.output<Schema>, Output>,
) => parsedArgsField(parserOf(schema), resolve);

/** Like `validatedField`, with a custom parser instead of a zod schema. */
export const parsedArgsField = <Input, Output>(parser: Parser<Input>, resolve: Resolve<Input, Output>) => ({
  extensions: { [key]: parser },
  resolve: (_root: unknown, args: object, ctx: Context) => {
    let input: Input;
    try {
      // PERF: the result depends on the arguments alone, so it is memoized for repeated requests.
      input = parser.schema
        ? memoizeOnArguments(args, parser, () => parser(ctx, args) as Input & object)
        : parser(ctx, args);
    } catch (errors) {
      return throwNotFoundOrArgumentErrors(ctx, args, errors);
    }
    return resolve(ctx, input, args);
  },
});

/** Throws the errors of the arguments, or NOT_FOUND if the business in `businessId` does not exist. */
export async function throwNotFoundOrArgumentErrors(
  ctx: Context,
  args: object,
  errors: unknown,
): Promise<never> {
  if ('businessId' in args && typeof args.businessId === 'string')
    await assertBusinessExists(ctx, args.businessId);
  throw errors;
}

/**
 * For use cases that find further errors in the database. The resolver receives the arguments as sent and a function `accept(errors)`,
 * which returns the validated arguments or throws all errors at once.
 */
export const selfValidatingField = <Schema extends z.ZodType, Args extends object, Output>(
  schema: SchemaSource<Schema>,
  resolve: (args: Args, accept: InputParser<z.output<Schema>>, ctx: Context) => Output,
) => {
  const parser = parserOf(schema);
  return {
    extensions: { [key]: parser },
    resolve: (_root: unknown, args: Args, ctx: Context) =>
      resolve(args, (errors) => parser(ctx, args, errors), ctx),
  };
};

/** Argument parser of a field that was defined with one of the functions above. */
export const argumentParserOf = (field: GraphQLField<unknown, Context>) =>
  field.extensions[key] as Parser<unknown> | undefined;

const key = 'duetArgumentParser';

const parserOf = <Schema extends z.ZodType>(schema: SchemaSource<Schema>): Parser<z.output<Schema>> =>
  Object.assign(
    (ctx: Context, args: unknown, existingErrors: readonly ErrorDetail[] = []) =>
      parseInput(typeof schema === 'function' ? schema(ctx) : schema, args, existingErrors),
    { schema: typeof schema === 'function' ? undefined : schema },
  );
