/** `duet types --business ID`: writes TypeScript types from the collections of a business, or checks that a file is current. */
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { OperatorError } from '../../lib/operator-errors.ts';
import { type LocalCommand, UsageError } from '../command-types-and-usage-error.ts';
import { type ContentSource, fetchCollections } from '../content-types/fetch-collections.ts';
import { formatContentTypes } from '../content-types/format-content-types.ts';
import { assertHttpUrl, parseCommandArgs } from '../parse-command-args.ts';

const options = {
  business: { type: 'string', default: '' },
  url: { type: 'string' },
  token: { type: 'string' },
  out: { type: 'string' },
  check: { type: 'boolean', default: false },
} as const;

/** The token may also be in `DUET_TOKEN`, so that it does not appear in the list of processes. */
export const typesCommand: LocalCommand = async (env, args) => {
  const { values } = parseCommandArgs(args, options);
  const { business, out, check } = values;
  const url = values.url ?? env.DUET_URL ?? `http://localhost:${env.PORT ?? 4000}`;
  if (business === '') throw new UsageError('Specify --business with the id of the business.');
  assertHttpUrl('--url', url);
  if (check && out === undefined) throw new UsageError('--check needs --out with the file to check.');
  const text = formatContentTypes(
    await readCollections({ url, business, token: values.token ?? env.DUET_TOKEN }),
  );
  if (out === undefined) {
    process.stdout.write(text);
    return;
  }
  const file = resolve(out);
  const current = await readFile(file, 'utf8').catch(() => undefined);
  if (!check) {
    if (current !== text) await writeFile(file, text);
    process.stdout.write(`${out} ${current === text ? 'is current' : 'written'}.\n`);
    return;
  }
  if (current !== text)
    throw new OperatorError(
      `${out} differs from the collections of the business. Run the command without --check.\n${listDifferences(current ?? '', text)}`,
    );
  process.stdout.write(`${out} is current.\n`);
};

const readCollections = (source: ContentSource) =>
  fetchCollections(source).catch((error: Error) => {
    throw new OperatorError(error.message, { cause: error });
  });

const maxDifferences = 20;

/** Lines that only one of the texts has, with `-` for the file and `+` for the gateway. */
function listDifferences(current: string, expected: string): string {
  const [before, after] = [current.split('\n'), expected.split('\n')];
  const missing = (lines: string[], others: string[], sign: string) =>
    lines.filter((line) => !others.includes(line)).map((line) => `${sign} ${line.trim()}`);
  const differences = [...missing(before, after, '-'), ...missing(after, before, '+')];
  const rest = differences.length - maxDifferences;
  return [...differences.slice(0, maxDifferences), ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n');
}
