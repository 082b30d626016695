/** Registry of all `duet` commands. The module of a command is imported when the command runs. */
import type { LocalCommand } from './command-types-and-usage-error.ts';
import { type CommandHelp, databaseCommandsByName } from './database-commands-by-name.ts';
import { runDatabaseCommand } from './run-database-command.ts';

interface CommandEntry extends CommandHelp {
  load(): Promise<LocalCommand>;
}

const databaseEntries = Object.entries(databaseCommandsByName).map(
  ([name, entry]: [string, CommandHelp]): [string, CommandEntry] => [
    name,
    { ...entry, load: async () => (env, args) => runDatabaseCommand(name, env, args) },
  ],
);

export const commandsByName: ReadonlyMap<string, CommandEntry> = new Map<string, CommandEntry>([
  [
    'start',
    {
      usage: 'start [--workers N|auto]',
      summary: 'serve GraphQL and REST, and run the jobs',
      options: { '--workers': 'number of processes, auto: one per core (default: WORKERS, or 1)' },
      load: async () => (await import('./start-command.ts')).startCommand,
    },
  ],
  ...databaseEntries,
  [
    'restore',
    {
      usage: 'restore FILE [--replace]',
      summary: 'restore the embedded database from a backup',
      options: { '--replace': 'rename an existing database and restore in its place' },
      load: async () => (await import('./commands/restore-embedded-database.ts')).restoreCommand,
    },
  ],
  [
    'replay',
    {
      usage: 'replay FILE --against URL [--and URL] [--token TOKEN]',
      summary: 'compare recorded REST reads in both protocols, or on two gateways',
      options: {
        '--against': 'URL of the gateway',
        '--and': 'URL of another gateway, whose REST responses are compared instead of GraphQL',
        '--token': 'access token for all requests; a HAR file has its own',
      },
      load: async () => (await import('./commands/replay-recorded-reads.ts')).replayCommand,
    },
  ],
  [
    'types',
    {
      usage: 'types --business ID [--url URL] [--token TOKEN] [--out FILE] [--check]',
      summary: 'write TypeScript types of the content of a business',
      options: {
        '--business': 'id of the business',
        '--url': 'URL of the gateway (default: DUET_URL, or localhost with PORT)',
        '--token': 'token or API key that reads unpublished collections (default: DUET_TOKEN, or a guest)',
        '--out': 'file to write (default: standard output)',
        '--check': 'change nothing, and fail if the file is not current',
      },
      load: async () => (await import('./commands/types-of-collections.ts')).typesCommand,
    },
  ],
  // Replaces the database command of the same name: asks for missing options in a terminal.
  [
    'init',
    {
      ...databaseCommandsByName.init,
      load: async () => (await import('./commands/init-ask-for-options.ts')).initCommand,
    },
  ],
  // Replaces the database command of the same name: most checks do not need the database.
  [
    'doctor',
    {
      ...databaseCommandsByName.doctor,
      load: async () => (await import('./commands/doctor-check-setup.ts')).doctorCommand,
    },
  ],
]);
