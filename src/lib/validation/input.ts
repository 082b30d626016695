/** Checks arguments with zod, after authorisation, and reports every failure at once with its wire path. */

import { z } from 'zod';
import { type DetailCode, isDetailCode } from '../../detail-codes.ts';
import { type ErrorDetail, hasEnoughDetails, validationErrorFrom } from '../../errors.ts';

/** With the name that zod would add to its copies: see CONTRIBUTING.md on shapes. */
const rules = { reportInput: true, async: false };

/** `known` is what was found wrong before, such as variables of the wrong type: all of it is said at once. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  args: unknown,
  known: readonly ErrorDetail[] = [],
): z.output<Schema> {
  const result = schema.safeParse(args, rules);
  if (result.success && known.length === 0) return result.data;
  const fields = new Set(known.map((issue) => issue.field));
  const details = [...known];
  for (const issue of result.success ? [] : result.error.issues) {
    if (hasEnoughDetails(details)) break;
    const detail = toDetail(issue);
    // A field that has the wrong type already is not worth a second complaint.
    if (!isWithin(fields, detail.field)) details.push(detail);
  }
  throw validationErrorFrom(details);
}

/** Whether a path, or one that leads to it, is among the fields. */
function isWithin(fields: ReadonlySet<string>, path: string): boolean {
  if (fields.has(path)) return true;
  for (let end = path.lastIndexOf('.'); end > 0; end = path.lastIndexOf('.', end - 1))
    if (fields.has(path.slice(0, end))) return true;
  return false;
}

/** Returns the checked arguments, or throws their faults together with the ones that were found elsewhere. */
export type InputParser<Output> = (found: readonly ErrorDetail[]) => Output;

/** `['input', 'variants', 0, 'price']` is `variants.0.price` on the wire: `input` is the body itself, `filter` the query. */
export function clientFieldPath(path: readonly PropertyKey[]): string {
  const isPart = path.length > 1 && (path[0] === 'input' || path[0] === 'filter');
  return (isPart ? path.slice(1) : path).map(String).join('.');
}

function toDetail(issue: z.core.$ZodIssue): ErrorDetail {
  const error = detailCode(issue);
  const isMissing = issue.code === 'invalid_type' || issue.code === 'invalid_value';
  const message = error === 'REQUIRED' && isMissing ? 'This field is required.' : issue.message;
  return { field: clientFieldPath(issue.path), error, message };
}

function detailCode(issue: z.core.$ZodIssue): DetailCode {
  switch (issue.code) {
    case 'custom':
      return detailCodeOfIssue(issue) ?? 'INVALID_VALUE';
    case 'invalid_value':
      return issue.input === undefined || issue.input === null ? 'REQUIRED' : 'INVALID_VALUE';
    case 'invalid_type':
      return issue.input === undefined || issue.input === null ? 'REQUIRED' : 'INVALID_TYPE';
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array' ? 'TOO_SHORT' : 'TOO_SMALL';
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array' ? 'TOO_LONG' : 'TOO_BIG';
    case 'invalid_format':
      return 'INVALID_FORMAT';
    default:
      return 'INVALID_VALUE';
  }
}

/** The detail code of a rule that has one of its own. */
export function detailCodeOfIssue(issue: z.core.$ZodIssue): DetailCode | undefined {
  const code: unknown = issue.code === 'custom' ? issue.params?.error : undefined;
  return typeof code === 'string' && isDetailCode(code) ? code : undefined;
}

/** A rule inside a zod schema with a detail code of its own. */
export const withDetailCode = (error: DetailCode, message: string) => ({ error: message, params: { error } });

/** Null on the wire means the same as absent, unless a schema gives it a meaning. */
export function optionalInput<Schema extends z.ZodType>(schema: Schema) {
  const sent = schema.nullish().transform((value) => value ?? undefined);
  // What is left out goes through none of the four schemas that this is made of, and what is there only through its own.
  sent._zod.run = (payload, ctx) => {
    if (payload.value === undefined) return payload;
    const result = payload.value === null ? payload : schema._zod.run(payload, ctx);
    if (result instanceof Promise) return result;
    if (result.issues.length > 0) result.aborted = true;
    else result.value ??= undefined;
    return result;
  };
  return sent;
}

/** For objects that take one form or another: `form` excludes `others`. Runs even when other things are wrong. */
export const mutuallyExclusive =
  (form: string, ...others: string[]) =>
  (value: unknown, ctx: z.core.$RefinementCtx): void => {
    const isGiven = (name: string) => ((value ?? {}) as Record<string, unknown>)[name] != null;
    if (!isGiven(form) || !others.some(isGiven)) return;
    const message = `Give this, or ${others.join(', ')}, not both.`;
    ctx.addIssue({ code: 'custom', path: [form], message, params: { error: 'INVALID_VALUE' } });
  };

/** What every list is asked with. */
export const pageFields = {
  first: optionalInput(z.number().int()),
  after: optionalInput(z.string()),
  last: optionalInput(z.number().int()),
  before: optionalInput(z.string()),
};

/** The last second of the year 9999: what is later was meant in milliseconds. */
const lastMoment = 253_402_300_799;
export const timestampSchema = z
  .number()
  .int()
  .min(0, 'Must not be negative.')
  .max(lastMoment, 'Must be in seconds, before the year 10000.');

/** A part of the time in which records were made or last changed, both ends included. */
export const dateRangeFields = {
  createdFrom: optionalInput(timestampSchema),
  createdTo: optionalInput(timestampSchema),
  updatedFrom: optionalInput(timestampSchema),
  updatedTo: optionalInput(timestampSchema),
};

export const textSchema = (max: number) => z.string().max(max, `Must be at most ${max} characters.`);
export const requiredTextSchema = (max: number) =>
  z.string().trim().min(1, 'Must not be empty.').max(max, `Must be at most ${max} characters.`);

export const slugSchema = requiredTextSchema(200).regex(
  /^[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*$/u,
  'Must be letters and digits, separated by dashes.',
);

export const moneySchema = z.number().int().min(0, 'Must not be negative.').max(Number.MAX_SAFE_INTEGER);

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** One of the known codes, in any case; kept in upper case. */
export const codeSchema = (known: ReadonlySet<string>, fault: ReturnType<typeof withDetailCode>) =>
  z
    .string()
    // Other letters too become plain ones in upper case: one ligature is FI.
    .transform((code) => (/^[a-z]+$/i.test(code.trim()) ? code.trim().toUpperCase() : code))
    .refine((code) => known.has(code), fault);

/** ISO 4217. */
export const currencySchema = codeSchema(
  currencies,
  withDetailCode('UNKNOWN_CURRENCY', 'Must be an ISO 4217 currency code.'),
);

/** Of one list: whoever has more of them knows what is wrong. */
const maxDuplicates = 50;

/** For lists: items must differ in what `keyOf` finds. Runs even when other things are wrong, so that all is said at once. */
export function distinctBy<Schema extends z.ZodArray>(
  list: Schema,
  field: string,
  error: DetailCode,
  message: string,
  keyOf: (value: string) => string = (value) => value,
): Schema {
  const refinement = (items: unknown, ctx: z.core.$RefinementCtx) => {
    const seen = new Set<string>();
    let found = 0;
    for (const [index, item] of (Array.isArray(items) ? items : []).entries()) {
      const value = (item as Record<string, unknown> | undefined)?.[field];
      if (typeof value !== 'string') continue;
      const key = keyOf(value);
      if (!seen.has(key)) {
        seen.add(key);
        continue;
      }
      ctx.addIssue({ code: 'custom', path: [index, field], message, params: { error } });
      found += 1;
      if (found === maxDuplicates) break;
    }
  };
  return list.superRefine(refinement, { when: () => true });
}
