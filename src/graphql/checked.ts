/** Puts the check of a root field's arguments beside its resolver, so that a refusal can ask for it without running anything. */
import type { GraphQLField } from 'graphql';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { ErrorDetail } from '../errors.ts';
import { parse } from '../lib/input.ts';

/** Returns the checked arguments, or throws their faults together with the ones that are known already. */
type Parser<Output> = (ctx: Context, args: unknown, known?: readonly ErrorDetail[]) => Output;

/** A schema, or how to make it where it depends on the configuration. */
type Check<Schema extends z.ZodType> = Schema | ((ctx: Context) => Schema);

type Resolve<Input, Output> = (args: Input, ctx: Context, sent: object) => Output;

/** Options of a field whose resolver gets checked arguments, and as third parameter what was sent. */
export const checked = <Schema extends z.ZodType, Output>(
  check: Check<Schema>,
  resolve: Resolve<z.output<Schema>, Output>,
) => checkedBy(parserOf(check), resolve);

/** The same for arguments that are refused in a way of their own. */
export const checkedBy = <Input, Output>(parser: Parser<Input>, resolve: Resolve<Input, Output>) => ({
  extensions: { [key]: parser },
  resolve: (_root: unknown, args: object, ctx: Context) => resolve(parser(ctx, args), ctx, args),
});

/** Extensions of a field whose use case checks the arguments itself, together with what it finds in the database. */
export const checkedInside = (check: Check<z.ZodType>) => ({ [key]: parserOf(check) });

export const parserOfField = (field: GraphQLField<unknown, Context>) =>
  field.extensions[key] as Parser<unknown> | undefined;

const key = 'duetCheck';

const parserOf =
  <Schema extends z.ZodType>(check: Check<Schema>): Parser<z.output<Schema>> =>
  (ctx, args, known = []) =>
    parse(typeof check === 'function' ? check(ctx) : check, args, known);
