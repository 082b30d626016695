/** Parses the arguments of a command. Unknown options and surplus arguments are usage errors with a suggestion. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { environmentSchema } from '../environment-schema.ts';
import { formatSuggestion } from '../lib/text/closest-name.ts';
import { UsageError } from './command-types-and-usage-error.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** `names` are the arguments of the command, all required, such as `FILE`. */
export function parseCommandArgs<O extends Options>(
  args: readonly string[],
  options: O,
  names: readonly string[] = [],
) {
  const parsed = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  for (const token of parsed.tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!option) throw new UsageError(`There is no option ${rawName}.${suggestOption(rawName, options)}`);
    if (option.type === 'string' && (value === undefined || (!token.inlineValue && value.startsWith('-'))))
      throw new UsageError(
        `The option ${rawName} needs a value${value === undefined ? '' : `; ${JSON.stringify(value)} is an option`}.`,
      );
  }
  const { positionals } = parsed;
  const surplus = positionals[names.length];
  if (surplus !== undefined) throw new UsageError(`Unexpected argument ${JSON.stringify(surplus)}.`);
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`The argument ${missing} is missing.`);
  return parseArgs({ args: [...args], options, allowPositionals: true });
}

/** An option that begins with the name, such as `--dry-run` for `--dry`, otherwise a variable of this name or the closest option. */
function suggestOption(rawName: string, options: Options): string {
  const names = Object.keys(options).map((name) => `--${name}`);
  const longer = names.filter((name) => name.startsWith(rawName));
  if (longer.length === 1) return ` Did you mean ${longer[0]}?`;
  const variable = rawName.replace(/^-+/, '').replaceAll('-', '_').toUpperCase();
  if (Object.hasOwn(environmentSchema.shape, variable)) return ` Set the variable ${variable} instead.`;
  return formatSuggestion(rawName, names);
}

/** Throws a UsageError unless the value of the option is a complete URL: `localhost:4000` is not. */
export function assertHttpUrl(option: string, value: string): void {
  const isUrl = URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol);
  if (!isUrl) throw new UsageError(`${option} must be a URL, such as http://localhost:4000.`);
}
