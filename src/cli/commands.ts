/** Every command of `duet`. Each is loaded when it is called. */
import type { LocalCommand } from './command.ts';
import { databaseCommands } from './database-commands.ts';
import { onDatabase } from './on-database.ts';

interface Entry {
  usage: string;
  summary: string;
  load(): Promise<LocalCommand>;
}

const fromDatabase = Object.entries(databaseCommands).map(([name, { usage, summary }]): [string, Entry] => [
  name,
  { usage, summary, load: async () => (env, args) => onDatabase(name, env, args) },
]);

export const commands: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  [
    'start',
    {
      usage: 'start',
      summary: 'serve both voices and run the jobs',
      load: async () => (await import('./start.ts')).start,
    },
  ],
  ...fromDatabase,
  [
    'restore',
    {
      usage: 'restore FILE [--replace]',
      summary: 'put a backup in the place of the embedded database',
      load: async () => (await import('./restore.ts')).restoreBackup,
    },
  ],
  // Most of what it looks at lies outside the database.
  [
    'doctor',
    {
      usage: 'doctor',
      summary: databaseCommands.doctor.summary,
      load: async () => (await import('./doctor.ts')).doctor,
    },
  ],
]);

export function usage(): string {
  const entries = [...commands.values()];
  const width = Math.max(...entries.map((entry) => entry.usage.length));
  const lines = entries.map((entry) => `  duet ${entry.usage.padEnd(width)}   ${entry.summary}`);
  return `Usage:\n${lines.join('\n')}\n\nConfiguration comes from environment variables, see the README.\n`;
}
