/** Filters such as `size:XL`: values of one name are alternatives, different names must all be there. */
import { z } from 'zod';
import { textSchema } from '../../lib/validation/input.ts';

const most = 50;

export const namedValuesSchema = (maxName: number, maxValue: number) =>
  z
    .array(
      textSchema(maxName + 1 + maxValue).regex(
        new RegExp(`^[^:]{1,${maxName}}:`),
        'Must be a name and a value with a colon between them.',
      ),
    )
    .max(most, `Must have at most ${most} of them.`);

/** The values by their names. */
export function parseNamedValues(sent: readonly string[] = []): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const one of sent) {
    const colon = one.indexOf(':');
    const name = one.slice(0, colon);
    byName.set(name, [...(byName.get(name) ?? []), one.slice(colon + 1)]);
  }
  return byName;
}
