/** Filters such as `size:XL`: values of the same name are combined with OR, different names with AND. */
import { z } from 'zod';
import { buildTextSchema } from '../../lib/validation/input.ts';

export const maxNamedValues = 50;

export const buildNamedValuesSchema = (maxName: number, maxValue: number) =>
  z
    .array(
      buildTextSchema(maxName + 1 + maxValue).regex(
        new RegExp(`^[^:]{1,${maxName}}:`),
        'Must be a name and a value, separated by a colon, such as `size:XL`.',
      ),
    )
    .max(maxNamedValues, `Must have at most ${maxNamedValues} items.`);

/** Groups the values by name. */
export function parseNamedValues(filters: readonly string[] = []): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const filter of filters) {
    const colon = filter.indexOf(':');
    const name = filter.slice(0, colon);
    byName.set(name, [...(byName.get(name) ?? []), filter.slice(colon + 1)]);
  }
  return byName;
}
