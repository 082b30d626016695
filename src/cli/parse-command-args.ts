/** Parses the arguments of a command. Unknown options and surplus arguments are usage errors with a suggestion. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { formatSuggestion } from '../lib/text/closest-name.ts';
import { UsageError } from './command-types.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** `names` are the arguments of the command, all required, such as `FILE`. */
export function parseCommandArgs<O extends Options>(
  args: readonly string[],
  options: O,
  names: readonly string[] = [],
) {
  const parsed = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  for (const token of parsed.tokens)
    if (token.kind === 'option' && !Object.hasOwn(options, token.name))
      throw new UsageError(
        `There is no option ${token.rawName}.${formatSuggestion(
          token.rawName,
          Object.keys(options).map((name) => `--${name}`),
        )}`,
      );
  const { positionals } = parsed;
  const surplus = positionals[names.length];
  if (surplus !== undefined) throw new UsageError(`Unexpected argument ${JSON.stringify(surplus)}.`);
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`The argument ${missing} is missing.`);
  return parseArgs({ args: [...args], options, allowPositionals: true });
}
