/** `duet init`: asks for missing options in a terminal, and runs the database command that creates the shop. */
import { createInterface } from 'node:readline/promises';
import type { LocalCommand } from '../command-types-and-usage-error.ts';
import { parseCommandArgs } from '../parse-command-args.ts';
import { runDatabaseCommand } from '../run-database-command.ts';
import { initCommandOptions } from './init-create-first-shop.ts';

/** Asks for the email address and the name in a terminal, if they are not given. */
export const initCommand: LocalCommand = async (env, args) => {
  const { values } = parseCommandArgs(args, initCommandOptions);
  const answers = process.stdin.isTTY ? await askForMissing(values) : [];
  await runDatabaseCommand('init', env, [...args, ...answers]);
};

async function askForMissing({ email, name }: { email: string; name: string }): Promise<string[]> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return [
      ...(email === '' ? ['--email', await terminal.question('Email address of the owner: ')] : []),
      ...(name === '' ? ['--name', await terminal.question('Name of the shop: ')] : []),
    ];
  } finally {
    terminal.close();
  }
}
