/** What the value of a block must look like, by the type and settings of its definition. Pure. */

import type { z } from 'zod';
import type { DetailCode } from '../../detail-codes.ts';
import { isId } from '../../lib/ids.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import { detailCodeOfIssue } from '../../lib/validation/input.ts';
import { mediaReferenceSchema, mediaSchema } from '../shared/media-schemas.ts';
import type { Block } from './model.ts';
import { createHtmlBudget, type HtmlBudget, maxHtmlMarks, sanitiseRichText } from './sanitise-html.ts';

export interface BlockValueRule extends Pick<Block, 'type' | 'settings' | 'required'> {
  /** Texts may have any keys, such as the lines of an address, not locales alone. */
  allowsAnyKey?: boolean;
  /** Media may be files that were uploaded, named by their id. */
  allowsMediaId?: boolean;
}

export interface ValueIssue {
  /** Below the value: `['en']` for one locale of a text. */
  path: (string | number)[];
  error: DetailCode;
  message: string;
}

export interface ValidatedValue {
  /** The value as it is kept: HTML sanitised, media with ids. */
  value: unknown;
  issues: ValueIssue[];
}

const maxChoices = 1000;
const maxOption = 200;
/** Texts of one block by locale, as in `content.texts`: slugs, versions and searches go through all of them. */
export const maxLocales = 200;

/** Texts without a `maxLength` of their own end here. */
export const defaultMaxTextLength = 200_000;

const localePattern = /^[a-z]{2,8}(?:[-_][a-z0-9]{1,8})*$/i;
export const isLocale = (text: string): boolean => text.length <= 35 && localePattern.test(text);

export const isRichText = (rule: Pick<Block, 'settings'>): boolean =>
  rule.settings?.variant?.toUpperCase() === 'HTML';

/** The ids of the blocks of a schema that hold rich text. */
export const richTextBlockIds = (schema: readonly Block[]): ReadonlySet<string> =>
  new Set(schema.filter((block) => block.type === 'TEXT' && isRichText(block)).map(({ id }) => id));

/** `room` is shared by all values of a request. */
export function validateBlockValue(
  rule: BlockValueRule,
  value: unknown,
  room = createHtmlBudget(),
): ValidatedValue {
  if (value === null || value === undefined) return rule.required ? missing(value) : kept(value);
  // That a type is missing or unknown is told by whoever reads the block.
  const check: Check | undefined = checks[rule.type];
  return check ? check(value, rule, room) : kept(value);
}

type Check = (value: unknown, rule: BlockValueRule, room: HtmlBudget) => ValidatedValue;

const kept = (value: unknown): ValidatedValue => ({ value, issues: [] });
const wrong = (error: DetailCode, message: string, ...path: (string | number)[]): ValidatedValue => ({
  value: undefined,
  issues: [{ path, error, message }],
});
const missing = (value: unknown): ValidatedValue => ({
  value,
  issues: [{ path: [], error: 'REQUIRED', message: 'This block needs a value.' }],
});
const invalidType = (what: string, ...path: (string | number)[]) =>
  wrong('INVALID_TYPE', `Must be ${what}.`, ...path);

const checks: Readonly<Record<Block['type'], Check>> = {
  TEXT(value, rule, room) {
    if (typeof value === 'string') return checkText(value, rule, room);
    if (!isPlainObject(value)) return invalidType('a string, or an object of strings by locale');
    return checkLocales(value, rule, room);
  },
  NUMBER: (value) =>
    typeof value === 'number' && Number.isFinite(value) ? kept(value) : invalidType('a number'),
  BOOLEAN: (value) => (typeof value === 'boolean' ? kept(value) : invalidType('true or false')),
  DATE: (value) =>
    Number.isSafeInteger(value) ? kept(value) : invalidType('an integer number of seconds since 1970'),
  RELATIONSHIP(value, rule) {
    if (typeof value !== 'string') return invalidType('the id of a record');
    if (value === '') return rule.required ? missing(value) : kept(value);
    // Ids are compared as text further on, so there is one way to write each.
    return isId(value) ? kept(value.toLowerCase()) : kept(value);
  },
  GEO_LOCATION: checkCoordinates,
  MEDIA: checkMedia,
  SELECT(value, rule) {
    if (typeof value !== 'string') return invalidType('one of the options');
    if (value === '' && rule.required) return missing(value);
    return isOption(rule, value) ? kept(value) : wrong('INVALID_OPTION', oneOf(rule));
  },
  MULTI_SELECT(value, rule) {
    if (!Array.isArray(value)) return invalidType('a list of options');
    if (value.length === 0 && rule.required) return missing(value);
    if (value.length > maxChoices) return wrong('TOO_LONG', `Must have at most ${maxChoices} items.`);
    const options = rule.settings?.options && new Set(rule.settings.options);
    const chosen = new Set<string>();
    const refusal = oneOf(rule);
    const issues = value.flatMap((item: unknown, index) => {
      if (typeof item !== 'string') return invalidType('a string', index).issues;
      if (item.length > maxOption || options?.has(item) === false)
        return wrong('INVALID_OPTION', refusal, index).issues;
      if (chosen.has(item)) return wrong('DUPLICATE_OPTION', 'Each option may be chosen once.', index).issues;
      chosen.add(item);
      return [];
    });
    return { value, issues };
  },
};

function checkText(text: string, rule: BlockValueRule, room: HtmlBudget, ...path: string[]): ValidatedValue {
  const max = rule.settings?.maxLength ?? defaultMaxTextLength;
  // Sanitising something huge only to refuse it would be work for nothing.
  const clean = isRichText(rule) && text.length <= max * 20 ? sanitiseRichText(text, room) : text;
  if (clean === undefined) return wrong('TOO_LONG', tooManyMarks, ...path);
  if (rule.required && clean.trim() === '') return wrong('REQUIRED', 'This block needs a value.', ...path);
  return isLonger(clean, max)
    ? wrong('TOO_LONG', `Must be at most ${max} characters.`, ...path)
    : kept(clean);
}

const tooManyMarks = `All rich texts together must have at most ${maxHtmlMarks} tags and entities.`;

/** Characters, not UTF-16 units: an emoji counts once. */
function isLonger(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > max * 2) return true;
  let count = 0;
  for (const _character of text) count += 1;
  return count > max;
}

function checkLocales(
  texts: Record<string, unknown>,
  rule: BlockValueRule,
  room: HtmlBudget,
): ValidatedValue {
  const entries = Object.entries(texts);
  if (entries.length > maxLocales) return wrong('TOO_LONG', `Must have at most ${maxLocales} texts.`);
  const present = entries.filter(([, text]) => text !== null);
  if (rule.required && present.length === 0) return missing(texts);
  const checked = entries.map(([locale, text]): [string, ValidatedValue] => {
    if (!rule.allowsAnyKey && !isLocale(locale))
      return [locale, wrong('INVALID_LOCALE', 'Must be a locale such as en or de-AT.', locale)];
    if (text === null) return [locale, kept(null)];
    if (typeof text !== 'string') return [locale, invalidType('a string', locale)];
    return [locale, checkText(text, rule, room, locale)];
  });
  return {
    value: Object.fromEntries(checked.map(([locale, { value }]) => [locale, value])),
    issues: checked.flatMap(([, { issues }]) => issues),
  };
}

/** A stored text, or its locales, as rich text may be. What has too many marks to be one loses them. */
export const sanitiseStoredTexts = (value: unknown, room: HtmlBudget): unknown => {
  const clean = (text: unknown) =>
    typeof text === 'string' ? (sanitiseRichText(text, room) ?? text.replace(/[<&]/g, '')) : text;
  return isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).map(([locale, text]) => [locale, clean(text)]))
    : clean(value);
};

function checkCoordinates(value: unknown): ValidatedValue {
  if (!isPlainObject(value)) return invalidType('an object with latitude and longitude');
  const issues = [...coordinate(value, 'latitude', 90), ...coordinate(value, 'longitude', 180)];
  return { value: { latitude: value.latitude, longitude: value.longitude }, issues };
}

function coordinate(value: Record<string, unknown>, name: string, limit: number): ValueIssue[] {
  const number = value[name];
  if (number === undefined || number === null)
    return wrong('REQUIRED', 'This field is required.', name).issues;
  if (typeof number !== 'number' || !Number.isFinite(number)) return invalidType('a number', name).issues;
  return Math.abs(number) > limit
    ? wrong('OUT_OF_RANGE', `Must be between -${limit} and ${limit}.`, name).issues
    : [];
}

function checkMedia(value: unknown, rule: BlockValueRule): ValidatedValue {
  if (!Array.isArray(value)) return mediaItem(value, rule);
  if (value.length === 0 && rule.required) return missing(value);
  if (value.length > 100) return wrong('TOO_LONG', 'Must have at most 100 items.');
  const items = value.map((item) => mediaItem(item, rule));
  return {
    value: items.map((item) => item.value),
    issues: items.flatMap(({ issues }, index) =>
      issues.map((issue) => ({ ...issue, path: [index, ...issue.path] })),
    ),
  };
}

function mediaItem(item: unknown, { allowsMediaId: namesMedia }: BlockValueRule): ValidatedValue {
  if (!isPlainObject(item)) return invalidType('a media item with url and mimeType, or a list of them');
  const result = (namesMedia ? mediaReferenceSchema : mediaSchema).safeParse(item);
  if (result.success) return kept(result.data);
  return { value: undefined, issues: result.error.issues.map((issue) => mediaIssue(item, issue)) };
}

function mediaIssue(item: Record<string, unknown>, issue: z.core.$ZodIssue): ValueIssue {
  const field = String(issue.path[0] ?? '');
  const absent = item[field] === undefined || item[field] === null;
  const ownCode = detailCodeOfIssue(issue);
  const error: DetailCode =
    ownCode ?? (issue.code !== 'invalid_type' ? 'INVALID_VALUE' : absent ? 'REQUIRED' : 'INVALID_TYPE');
  return { path: [field], error, message: absent ? 'This field is required.' : issue.message };
}

/** A choice without options takes any word. */
const isOption = ({ settings }: BlockValueRule, value: string) =>
  value.length <= maxOption && (settings?.options?.includes(value) ?? true);

const oneOf = ({ settings }: BlockValueRule) =>
  `Must be one of ${(settings?.options ?? []).join(', ').slice(0, 500)}.`;
