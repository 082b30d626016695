/** Every command of `duet`. Each is loaded when it is called. */
import type { LocalCommand } from './command.ts';
import { databaseCommands } from './database-commands.ts';
import { runDatabaseCommand } from './run-database-command.ts';

interface Entry {
  usage: string;
  summary: string;
  load(): Promise<LocalCommand>;
}

const fromDatabase = Object.entries(databaseCommands).map(([name, { usage, summary }]): [string, Entry] => [
  name,
  { usage, summary, load: async () => (env, args) => runDatabaseCommand(name, env, args) },
]);

export const commandRegistry: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  [
    'start',
    {
      usage: 'start',
      summary: 'serve both voices and run the jobs',
      load: async () => (await import('./start.ts')).startCommand,
    },
  ],
  ...fromDatabase,
  [
    'restore',
    {
      usage: 'restore FILE [--replace]',
      summary: 'put a backup in the place of the embedded database',
      load: async () => (await import('./commands/restore.ts')).restoreCommand,
    },
  ],
  // Most of what it looks at lies outside the database.
  [
    'doctor',
    {
      usage: 'doctor',
      summary: databaseCommands.doctor.summary,
      load: async () => (await import('./commands/doctor.ts')).doctorCommand,
    },
  ],
]);

export function formatUsage(): string {
  const entries = [...commandRegistry.values()];
  const width = Math.max(...entries.map((entry) => entry.usage.length));
  const lines = entries.map((entry) => `  duet ${entry.usage.padEnd(width)}   ${entry.summary}`);
  return `Usage:\n${lines.join('\n')}\n\nConfiguration comes from environment variables, see the README.\n`;
}
