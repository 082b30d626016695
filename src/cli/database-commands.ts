/** The commands that work on the database. A gateway with an embedded one runs them for whoever asks. */
import type { DatabaseCommand } from './command.ts';

interface Entry {
  usage: string;
  summary: string;
  load(): Promise<DatabaseCommand>;
}

export const databaseCommands = {
  migrate: {
    usage: 'migrate',
    summary: 'bring the database up to date',
    load: async () => (await import('./commands/migrate.ts')).migrateCommand,
  },
  seed: {
    usage: 'seed [--products N]',
    summary: 'create the demo business, and N more products in it',
    load: async () => (await import('./commands/seed.ts')).seedCommand,
  },
  keys: {
    usage: 'keys rotate [--revoke]',
    summary: 'sign with a new key; --revoke also refuses what the old ones signed',
    load: async () => (await import('./commands/keys.ts')).keysCommand,
  },
  secrets: {
    usage: 'secrets rotate',
    summary: 'seal every secret in the database with the first key of SECRETS_KEY',
    load: async () => (await import('./commands/secrets.ts')).secretsCommand,
  },
  jobs: {
    usage: 'jobs [--failed | --retry ID | --drop ID]',
    summary:
      'what waits, runs and has failed for good: jobs, mails, refunds, deliveries, payments; another try',
    load: async () => (await import('./commands/jobs.ts')).jobsCommand,
  },
  usage: {
    usage: 'usage [--days N] [--client NAME] [--fields | --json]',
    summary: 'which client uses which operations, REST paths and fields, and how often',
    load: async () => (await import('./commands/usage.ts')).usageCommand,
  },
  import: {
    usage: 'import FILE --business ID --resource NAME --as EMAIL [--format NAME] [--collection ID]',
    summary: 'import the lines of a file in the name of a member, and say what was refused',
    load: async () => (await import('./commands/import-export.ts')).importCommand,
  },
  export: {
    usage: 'export FILE --business ID --resource NAME --as EMAIL [--format NAME] [--collection ID]',
    summary: 'write the records of a business that a member may see to a file',
    load: async () => (await import('./commands/import-export.ts')).exportCommand,
  },
  reconcile: {
    usage: 'reconcile [--dry-run]',
    summary: 'ask the payment provider about what is open, and repair what differs',
    load: async () => (await import('./commands/reconcile.ts')).reconcileCommand,
  },
  audit: {
    usage: 'audit',
    summary: 'check that money, stock and promo codes balance, here and at the payment provider',
    load: async () => (await import('./commands/audit.ts')).auditCommand,
  },
  backup: {
    usage: 'backup FILE',
    summary: 'write the embedded database to a file, while it is in use',
    load: async () => (await import('./commands/backup.ts')).backupCommand,
  },
  doctor: {
    usage: 'doctor',
    summary: 'check configuration, connections and clocks, and say what to do',
    load: async () => (await import('./doctor/check-database.ts')).doctorDatabaseCommand,
  },
} satisfies Readonly<Record<string, Entry>>;

export const findDatabaseCommand = (name: string): Promise<DatabaseCommand> | undefined =>
  (databaseCommands as Readonly<Record<string, Entry>>)[name]?.load();
