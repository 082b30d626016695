/** Unusual values, and mutations that insert them into a request. */
import type { Dice } from '../simulation/seeded-random.ts';

const unusualValues: readonly unknown[] = [
  null,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '💥'.repeat(40),
  'x'.repeat(5000),
  '../../etc/passwd',
  "'; drop table orders; --",
  '%00',
  'null',
  'true',
  '__proto__',
  '2026-11-15',
  -1,
  0,
  1.5,
  1e21,
  -0,
  2 ** 31,
  2 ** 53,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  { __proto__: null },
  { id: null },
  { a: { b: { c: { d: {} } } } },
];

export const unusualValue = (dice: Dice): unknown => dice.pick(unusualValues);

export const unusualText = (dice: Dice): string => {
  const value = unusualValue(dice);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Ids of existing records by type. */
export type RecordIds = Readonly<Record<string, string>>;

/** Text that suits a field with this name; `name` may contain several words. */
export function generateText(name: string, dice: Dice, ids: RecordIds): string {
  const number = dice.between(1, 30);
  for (const [pattern, text] of textGenerators) if (pattern.test(name)) return text(number);
  if (/ids?$/i.test(name)) return pickId(name, dice, ids);
  return (
    dice.pick(['US', 'USD', 'standard', 'Some text', 'tea', `text ${number}`, pickId(name, dice, ids)]) ?? ''
  );
}

const textGenerators: readonly (readonly [RegExp, (number: number) => string])[] = [
  [/email/i, (number) => `reader-${number}@people.example`],
  [/url|redirect/i, (number) => `http://shop.test/${number}`],
  [/currency/i, () => 'USD'],
  [/phone/i, (number) => `+49170123450${number}`],
  [/market/i, () => 'US'],
  [/locale/i, () => 'en'],
  [/password/i, () => 'correct horse battery 9'],
  [/slug/i, (number) => `slug-${number}`],
];

/** Mostly the id of a record of the type in `name`. */
function pickId(name: string, dice: Dice, ids: RecordIds): string {
  const matchingKeys = Object.keys(ids).filter((key) =>
    name.toLowerCase().includes(key.replace(/Id$/, '').toLowerCase()),
  );
  const key = dice.pick(matchingKeys.length > 0 && dice.chance(0.85) ? matchingKeys : Object.keys(ids));
  return ids[key ?? ''] ?? '';
}

/** The value with one part changed, removed, duplicated or added. */
export function mutateValue(value: unknown, dice: Dice): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0 || dice.chance(0.2)) return [...value, unusualValue(dice)];
    if (dice.chance(0.2)) return [...value, ...value];
    const position = dice.between(0, value.length - 1);
    return value.map((item, index) => (index === position ? mutateValue(item, dice) : item));
  }
  if (typeof value === 'object' && value !== null) {
    const key = dice.pick(Object.keys(value));
    if (key === undefined || dice.chance(0.1)) return { ...value, [unusualText(dice)]: unusualValue(dice) };
    const { [key]: inner, ...rest } = value as Record<string, unknown>;
    return dice.chance(0.2)
      ? rest
      : { ...rest, [key]: dice.chance(0.4) ? unusualValue(dice) : mutateValue(inner, dice) };
  }
  return unusualValue(dice);
}
