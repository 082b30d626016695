/** Validates a block value against the type and settings of its definition. Pure. */
import type { z } from 'zod';
import type { DetailCode } from '../../detail-codes.ts';
import { isId } from '../../lib/ids.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import { detailCodeOfIssue } from '../../lib/validation/input.ts';
import { mediaByUrlSchema, mediaReferenceSchema } from '../shared/media-schemas.ts';
import type { Block } from './model.ts';
import {
  createHtmlSanitizingBudget,
  type HtmlSanitizingBudget,
  maxHtmlTagsAndEntities,
  sanitizeRichText,
} from './sanitize-html.ts';

export interface BlockValueRule extends Pick<Block, 'type' | 'settings' | 'required'> {
  /** Allows any keys in a text object, such as the lines of an address. Default: locales only. */
  allowsAnyKey?: boolean;
  /** Allows media items that reference an uploaded file by `mediaId`. Default: false. */
  allowsMediaId?: boolean;
}

interface BlockValueIssue {
  /** Path below the value, such as `['en']` for one locale of a text. */
  path: (string | number)[];
  error: DetailCode;
  message: string;
}

interface BlockValueValidationResult {
  /** Value to store: HTML sanitised, media items with ids. */
  value: unknown;
  issues: BlockValueIssue[];
}

const maxChoices = 1000;
const maxOption = 200;
/** Maximum number of locales per text. Bounded, because slugs, versions and search process all of them. */
export const maxLocalesPerText = 200;

/** Maximum text length in characters for blocks without `maxLength`. */
export const defaultMaxBlockTextLength = 200_000;

const localePattern = /^[a-z]{2,8}(?:[-_][a-z0-9]{1,8})*$/i;
export const isLocale = (text: string): boolean => text.length <= 35 && localePattern.test(text);

export const isRichTextBlock = (rule: Pick<Block, 'settings'>): boolean =>
  rule.settings?.variant?.toUpperCase() === 'HTML';

/** Ids of the rich text blocks of a schema. */
export const listRichTextBlockIds = (schema: readonly Block[]): ReadonlySet<string> =>
  new Set(schema.filter((block) => block.type === 'TEXT' && isRichTextBlock(block)).map(({ id }) => id));

/** All values of a request share one `budget`. */
export function validateBlockValue(
  rule: BlockValueRule,
  value: unknown,
  budget = createHtmlSanitizingBudget(),
): BlockValueValidationResult {
  if (value === null || value === undefined) return rule.required ? requiredError(value) : validValue(value);
  // A missing or unknown type is reported by the schema of the block itself.
  const validator: ValueValidator | undefined = validators[rule.type];
  return validator ? validator(value, rule, budget) : validValue(value);
}

type ValueValidator = (
  value: unknown,
  rule: BlockValueRule,
  budget: HtmlSanitizingBudget,
) => BlockValueValidationResult;

const validValue = (value: unknown): BlockValueValidationResult => ({ value, issues: [] });
const valueError = (
  error: DetailCode,
  message: string,
  ...path: (string | number)[]
): BlockValueValidationResult => ({ value: undefined, issues: [{ path, error, message }] });
const requiredError = (value: unknown): BlockValueValidationResult => ({
  value,
  issues: [{ path: [], error: 'REQUIRED', message: 'This block needs a value.' }],
});
const typeError = (expected: string, ...path: (string | number)[]) =>
  valueError('INVALID_TYPE', `Must be ${expected}.`, ...path);

const validators: Readonly<Record<Block['type'], ValueValidator>> = {
  TEXT(value, rule, budget) {
    if (typeof value === 'string') return validateText(value, rule, budget);
    if (!isPlainObject(value)) return typeError('a string, or an object of strings by locale');
    return validateLocales(value, rule, budget);
  },
  NUMBER: (value) =>
    typeof value === 'number' && Number.isFinite(value) ? validValue(value) : typeError('a number'),
  BOOLEAN: (value) => (typeof value === 'boolean' ? validValue(value) : typeError('true or false')),
  DATE: (value) =>
    Number.isSafeInteger(value) ? validValue(value) : typeError('an integer number of seconds since 1970'),
  RELATIONSHIP(value, rule) {
    if (typeof value !== 'string') return typeError('the id of a record');
    if (value === '') return rule.required ? requiredError(value) : validValue(value);
    // Normalised to lower case, because ids are compared as text.
    return isId(value) ? validValue(value.toLowerCase()) : validValue(value);
  },
  GEO_LOCATION: validateCoordinates,
  MEDIA: validateMedia,
  SELECT(value, rule) {
    if (typeof value !== 'string') return typeError('one of the options');
    if (value === '' && rule.required) return requiredError(value);
    return isOption(rule, value)
      ? validValue(value)
      : valueError('INVALID_OPTION', invalidOptionMessage(rule));
  },
  MULTI_SELECT(value, rule) {
    if (!Array.isArray(value)) return typeError('a list of options');
    if (value.length === 0 && rule.required) return requiredError(value);
    if (value.length > maxChoices) return valueError('TOO_LONG', `Must have at most ${maxChoices} items.`);
    const options = rule.settings?.options && new Set(rule.settings.options);
    const selected = new Set<string>();
    const message = invalidOptionMessage(rule);
    const issues = value.flatMap((item: unknown, index) => {
      if (typeof item !== 'string') return typeError('a string', index).issues;
      if (item.length > maxOption || options?.has(item) === false)
        return valueError('INVALID_OPTION', message, index).issues;
      if (selected.has(item))
        return valueError('DUPLICATE_OPTION', 'Each option may be chosen once.', index).issues;
      selected.add(item);
      return [];
    });
    return { value, issues };
  },
};

function validateText(
  text: string,
  rule: BlockValueRule,
  budget: HtmlSanitizingBudget,
  ...path: string[]
): BlockValueValidationResult {
  const max = rule.settings?.maxLength ?? defaultMaxBlockTextLength;
  // A text that is far too long is rejected below without the cost of sanitising it.
  const sanitized = isRichTextBlock(rule) && text.length <= max * 20 ? sanitizeRichText(text, budget) : text;
  if (sanitized === undefined) return valueError('TOO_LONG', tooManyMarksMessage, ...path);
  if (rule.required && sanitized.trim() === '')
    return valueError('REQUIRED', 'This block needs a value.', ...path);
  return isLonger(sanitized, max)
    ? valueError('TOO_LONG', `Must be at most ${max} characters.`, ...path)
    : validValue(sanitized);
}

const tooManyMarksMessage = `All rich texts together must have at most ${maxHtmlTagsAndEntities} tags and entities.`;

/** Counts Unicode code points, not UTF-16 units: an emoji counts as one character. */
function isLonger(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > max * 2) return true;
  let count = 0;
  for (const _character of text) count += 1;
  return count > max;
}

function validateLocales(
  texts: Record<string, unknown>,
  rule: BlockValueRule,
  budget: HtmlSanitizingBudget,
): BlockValueValidationResult {
  const entries = Object.entries(texts);
  if (entries.length > maxLocalesPerText)
    return valueError('TOO_LONG', `Must have at most ${maxLocalesPerText} texts.`);
  const nonNullTexts = entries.filter(([, text]) => text !== null);
  if (rule.required && nonNullTexts.length === 0) return requiredError(texts);
  const validated = entries.map(([locale, text]): [string, BlockValueValidationResult] => {
    if (!rule.allowsAnyKey && !isLocale(locale))
      return [locale, valueError('INVALID_LOCALE', 'Must be a locale such as en or de-AT.', locale)];
    if (text === null) return [locale, validValue(null)];
    if (typeof text !== 'string') return [locale, typeError('a string', locale)];
    return [locale, validateText(text, rule, budget, locale)];
  });
  return {
    value: Object.fromEntries(validated.map(([locale, { value }]) => [locale, value])),
    issues: validated.flatMap(([, { issues }]) => issues),
  };
}

/** Sanitises a stored text or its locales. A text above the budget loses all `<` and `&` instead. */
export const sanitizeStoredBlockValue = (value: unknown, budget: HtmlSanitizingBudget): unknown => {
  const sanitizeText = (text: unknown) =>
    typeof text === 'string' ? (sanitizeRichText(text, budget) ?? text.replace(/[<&]/g, '')) : text;
  return isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).map(([locale, text]) => [locale, sanitizeText(text)]))
    : sanitizeText(value);
};

function validateCoordinates(value: unknown): BlockValueValidationResult {
  if (!isPlainObject(value)) return typeError('an object with latitude and longitude');
  const issues = [...coordinateIssues(value, 'latitude', 90), ...coordinateIssues(value, 'longitude', 180)];
  return { value: { latitude: value.latitude, longitude: value.longitude }, issues };
}

function coordinateIssues(value: Record<string, unknown>, name: string, limit: number): BlockValueIssue[] {
  const number = value[name];
  if (number === undefined || number === null)
    return valueError('REQUIRED', 'This field is required.', name).issues;
  if (typeof number !== 'number' || !Number.isFinite(number)) return typeError('a number', name).issues;
  return Math.abs(number) > limit
    ? valueError('OUT_OF_RANGE', `Must be between -${limit} and ${limit}.`, name).issues
    : [];
}

function validateMedia(value: unknown, rule: BlockValueRule): BlockValueValidationResult {
  if (!Array.isArray(value)) return validateMediaItem(value, rule);
  if (value.length === 0 && rule.required) return requiredError(value);
  if (value.length > 100) return valueError('TOO_LONG', 'Must have at most 100 items.');
  const items = value.map((item) => validateMediaItem(item, rule));
  return {
    value: items.map((item) => item.value),
    issues: items.flatMap(({ issues }, index) =>
      issues.map((issue) => ({ ...issue, path: [index, ...issue.path] })),
    ),
  };
}

function validateMediaItem(item: unknown, { allowsMediaId }: BlockValueRule): BlockValueValidationResult {
  if (!isPlainObject(item)) return typeError('a media item with url and mimeType, or a list of them');
  const result = (allowsMediaId ? mediaReferenceSchema : mediaByUrlSchema).safeParse(item);
  if (result.success) return validValue(result.data);
  return { value: undefined, issues: result.error.issues.map((issue) => toValueIssue(item, issue)) };
}

function toValueIssue(item: Record<string, unknown>, issue: z.core.$ZodIssue): BlockValueIssue {
  const field = String(issue.path[0] ?? '');
  const isAbsent = item[field] === undefined || item[field] === null;
  const detailCode = detailCodeOfIssue(issue);
  const error: DetailCode =
    detailCode ?? (issue.code !== 'invalid_type' ? 'INVALID_VALUE' : isAbsent ? 'REQUIRED' : 'INVALID_TYPE');
  return { path: [field], error, message: isAbsent ? 'This field is required.' : issue.message };
}

/** Without configured options any text is allowed. */
const isOption = ({ settings }: BlockValueRule, value: string) =>
  value.length <= maxOption && (settings?.options?.includes(value) ?? true);

const invalidOptionMessage = ({ settings }: BlockValueRule) =>
  `Must be one of ${(settings?.options ?? []).join(', ').slice(0, 500)}.`;
