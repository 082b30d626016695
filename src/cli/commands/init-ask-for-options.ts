/** `duet init`: asks for missing options in a terminal, and runs the database command that creates the shop. */
import { createInterface } from 'node:readline/promises';
import { type LocalCommand, UsageError } from '../command-types-and-usage-error.ts';
import { parseCommandArgs } from '../parse-command-args.ts';
import { runDatabaseCommand } from '../run-database-command.ts';
import { initCommandOptions } from './init-create-first-shop.ts';

/** Asks for the email address and the name in a terminal, if they are not given. */
export const initCommand: LocalCommand = async (env, args) => {
  const { values } = parseCommandArgs(args, initCommandOptions);
  const answers = process.stdin.isTTY
    ? await askForMissing(values, { input: process.stdin, output: process.stdout })
    : [];
  await runDatabaseCommand('init', env, [...args, ...answers]);
};

/** Throws a UsageError if the input ends or Ctrl-C is pressed before the answer. */
export async function askForMissing(
  { email, name }: { email: string; name: string },
  { input, output }: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream },
): Promise<string[]> {
  const terminal = createInterface({ input, output });
  const closed = new AbortController();
  terminal.once('close', () => closed.abort());
  const ask = (question: string) =>
    terminal.question(question, { signal: closed.signal }).catch(() => {
      throw new UsageError('Nothing was created: specify --email and --name.');
    });
  try {
    return [
      ...(email === '' ? ['--email', await ask('Email address of the owner: ')] : []),
      ...(name === '' ? ['--name', await ask('Name of the shop: ')] : []),
    ];
  } finally {
    terminal.close();
  }
}
