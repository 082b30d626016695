/** Registry of all `duet` commands. The module of a command is imported when the command runs. */
import type { LocalCommand } from './command-types.ts';
import { databaseCommands } from './database-commands.ts';
import { runDatabaseCommand } from './run-database-command.ts';

interface CommandEntry {
  usage: string;
  summary: string;
  load(): Promise<LocalCommand>;
}

const databaseEntries = Object.entries(databaseCommands).map(
  ([name, { usage, summary }]): [string, CommandEntry] => [
    name,
    { usage, summary, load: async () => (env, args) => runDatabaseCommand(name, env, args) },
  ],
);

export const commandRegistry: ReadonlyMap<string, CommandEntry> = new Map<string, CommandEntry>([
  [
    'start',
    {
      usage: 'start',
      summary: 'serve GraphQL and REST, and run the jobs',
      load: async () => (await import('./start.ts')).startCommand,
    },
  ],
  ...databaseEntries,
  [
    'restore',
    {
      usage: 'restore FILE [--replace]',
      summary: 'replace the embedded database by a backup',
      load: async () => (await import('./commands/restore.ts')).restoreCommand,
    },
  ],
  // Replaces the database command of the same name: most checks do not need the database.
  [
    'doctor',
    {
      usage: 'doctor',
      summary: databaseCommands.doctor.summary,
      load: async () => (await import('./commands/doctor.ts')).doctorCommand,
    },
  ],
]);

export function formatCliUsage(): string {
  const entries = [...commandRegistry.values()];
  const width = Math.max(...entries.map((entry) => entry.usage.length));
  const lines = entries.map((entry) => `  duet ${entry.usage.padEnd(width)}   ${entry.summary}`);
  return `Usage:\n${lines.join('\n')}\n\nConfiguration comes from environment variables, see the README.\n`;
}
