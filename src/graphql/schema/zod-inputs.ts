/** Input fields of plain values, made from their checks: one line says the rule, the type and the description. */
import type { z } from 'zod';
import type { builder } from './builder.ts';

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** One optional input field for each check of a text, a whole number or a yes or no. Checks carry their description. */
export const zodInputFields = <Name extends string>(
  t: InputFields,
  checks: Readonly<Record<Name, z.ZodType>>,
) =>
  Object.fromEntries(
    Object.entries<z.ZodType>(checks).map(([name, check]) => [name, inputOf(t, name, check)]),
  ) as Record<Name, ReturnType<typeof inputOf>>;

function inputOf(t: InputFields, name: string, check: z.ZodType) {
  const options = { description: check.description ?? '' };
  switch (sentType(check)) {
    case 'string':
      return t.string(options);
    case 'number':
      return t.int(options);
    case 'boolean':
      return t.boolean(options);
    default:
      throw new Error(`The check of ${name} is not that of a plain value.`);
  }
}

/** The type of what is sent, whatever the check makes of it. */
function sentType(check: z.ZodType): string {
  const def = check._zod.def as { type: string; innerType?: z.ZodType; in?: z.ZodType };
  const inner = def.innerType ?? def.in;
  return inner ? sentType(inner) : def.type;
}
