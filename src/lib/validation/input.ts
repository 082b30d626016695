/** Input validation with zod: reports all errors of a request at once, and defines schemas shared by all domains. Runs after authorisation. */
import { z } from 'zod';
import { type DetailCode, isDetailCode } from '../../detail-codes.ts';
import { type ErrorDetail, isErrorDetailLimitReached, validationErrorFrom } from '../../errors.ts';

/** PERF: includes `async`, which zod would otherwise add to a copy, see CONTRIBUTING.md on hidden classes. */
const parseOptions = { reportInput: true, async: false };

/** Parses arguments or throws VALIDATION_FAILED. `priorIssues` were found before, such as variables of the wrong type; all are reported together. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  args: unknown,
  priorIssues: readonly ErrorDetail[] = [],
): z.output<Schema> {
  const result = schema.safeParse(args, parseOptions);
  if (result.success && priorIssues.length === 0) return result.data;
  const fields = new Set(priorIssues.map((issue) => issue.field));
  const details = [...priorIssues];
  for (const issue of result.success ? [] : result.error.issues) {
    if (isErrorDetailLimitReached(details)) break;
    const detail = toDetail(issue);
    // A field with a type error is not reported twice.
    if (!isWithin(fields, detail.field)) details.push(detail);
  }
  throw validationErrorFrom(details);
}

/** Whether the path or one of its parents is among the fields. */
function isWithin(fields: ReadonlySet<string>, path: string): boolean {
  if (fields.has(path)) return true;
  for (let end = path.lastIndexOf('.'); end > 0; end = path.lastIndexOf('.', end - 1))
    if (fields.has(path.slice(0, end))) return true;
  return false;
}

/** Returns the validated arguments, or throws their errors together with those found before. */
export type InputParser<Output> = (priorIssues: readonly ErrorDetail[]) => Output;

/** `['input', 'variants', 0, 'price']` is `variants.0.price` for clients: `input` is the request body, `filter` the query string. */
export function toClientFieldPath(path: readonly PropertyKey[]): string {
  const isPart = path.length > 1 && (path[0] === 'input' || path[0] === 'filter');
  return (isPart ? path.slice(1) : path).map(String).join('.');
}

function toDetail(issue: z.core.$ZodIssue): ErrorDetail {
  const error = detailCode(issue);
  const isMissing = issue.code === 'invalid_type' || issue.code === 'invalid_value';
  const message = error === 'REQUIRED' && isMissing ? 'This field is required.' : issue.message;
  return { field: toClientFieldPath(issue.path), error, message };
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

/** Detail code of a custom issue that sets one. */
export function detailCodeOfIssue(issue: z.core.$ZodIssue): DetailCode | undefined {
  const code: unknown = issue.code === 'custom' ? issue.params?.error : undefined;
  return typeof code === 'string' && isDetailCode(code) ? code : undefined;
}

/** Options for `refine` that give the issue a detail code. */
export const detailCodeRefineOptions = (error: DetailCode, message: string) => ({
  error: message,
  params: { error },
});

/** Optional input: null is treated like an absent field, unless a schema gives it a meaning. */
export const optionalInput = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** Refinement: the field `form` excludes the fields `others`. Runs even if other fields are invalid. */
export const refineMutuallyExclusive =
  (form: string, ...others: string[]) =>
  (value: unknown, ctx: z.core.$RefinementCtx): void => {
    const isPresent = (name: string) => ((value ?? {}) as Record<string, unknown>)[name] != null;
    if (!isPresent(form) || !others.some(isPresent)) return;
    const message = `Send either this or ${others.join(', ')}, not both.`;
    ctx.addIssue({ code: 'custom', path: [form], message, params: { error: 'INVALID_VALUE' } });
  };

/** Refinement for two names of one field: an error if both are given and differ. */
export const refineFormerNameEqual =
  (name: string, formerName: string) =>
  (value: unknown, ctx: z.core.$RefinementCtx): void => {
    const fieldValues = (value ?? {}) as Record<string, unknown>;
    if (
      fieldValues[name] == null ||
      fieldValues[formerName] == null ||
      fieldValues[name] === fieldValues[formerName]
    )
      return;
    const message = `Differs from ${formerName}, the former name of ${name}. Send ${name} only.`;
    ctx.addIssue({ code: 'custom', path: [name], message, params: { error: 'INVALID_VALUE' } });
  };

/** Pagination arguments of every list. */
export const pageArgSchemas = {
  first: optionalInput(z.number().int()),
  after: optionalInput(z.string()),
  last: optionalInput(z.number().int()),
  before: optionalInput(z.string()),
};

/** Last second of the year 9999. Larger values are probably milliseconds. */
const maxTimestamp = 253_402_300_799;
export const unixSecondsSchema = z
  .number()
  .int()
  .min(0, 'Must not be negative.')
  .max(maxTimestamp, 'Must be in seconds, before the year 10000.');

/** Filter by time of creation and last change in Unix seconds, both ends inclusive. */
export const dateRangeFilterSchemas = {
  createdFrom: optionalInput(unixSecondsSchema),
  createdTo: optionalInput(unixSecondsSchema),
  updatedFrom: optionalInput(unixSecondsSchema),
  updatedTo: optionalInput(unixSecondsSchema),
};

export const buildTextSchema = (max: number) => z.string().max(max, `Must be at most ${max} characters.`);
export const buildRequiredTextSchema = (max: number) =>
  z.string().trim().min(1, 'Must not be empty.').max(max, `Must be at most ${max} characters.`);

export const slugSchema = buildRequiredTextSchema(200).regex(
  /^[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*$/u,
  'Must be letters and digits, separated by dashes.',
);

export const moneySchema = z.number().int().min(0, 'Must not be negative.').max(Number.MAX_SAFE_INTEGER);

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** One of `codes` in any letter case; converted to upper case. */
export const buildOneOfCodesSchema = (
  codes: ReadonlySet<string>,
  issue: ReturnType<typeof detailCodeRefineOptions>,
) =>
  z
    .string()
    // ASCII letters only: toUpperCase turns the ligature ﬁ into FI.
    .transform((code) => (/^[a-z]+$/i.test(code.trim()) ? code.trim().toUpperCase() : code))
    .refine((code) => codes.has(code), issue);

/** ISO 4217 currency code. */
export const currencySchema = buildOneOfCodesSchema(
  currencies,
  detailCodeRefineOptions('UNKNOWN_CURRENCY', 'Must be an ISO 4217 currency code.'),
);

/** Duplicates reported per list. */
const maxDuplicates = 50;

/** List whose items must have distinct values of `field`, compared by `keyOf`. Runs even if other fields are invalid, to report all errors at once. */
export function requireDistinctItems<Schema extends z.ZodArray>(
  list: Schema,
  field: string,
  error: DetailCode,
  message: string,
  keyOf: (value: string) => string = (value) => value,
): Schema {
  const refinement = (items: unknown, ctx: z.core.$RefinementCtx) => {
    const seen = new Set<string>();
    let duplicates = 0;
    for (const [index, item] of (Array.isArray(items) ? items : []).entries()) {
      const value = (item as Record<string, unknown> | undefined)?.[field];
      if (typeof value !== 'string') continue;
      const key = keyOf(value);
      if (!seen.has(key)) {
        seen.add(key);
        continue;
      }
      ctx.addIssue({ code: 'custom', path: [index, field], message, params: { error } });
      duplicates += 1;
      if (duplicates === maxDuplicates) break;
    }
  };
  return list.superRefine(refinement, { when: () => true });
}
