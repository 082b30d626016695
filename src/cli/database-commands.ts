/** Commands that work on the database. A gateway with an embedded database runs them on behalf of the `duet` command. */
import type { DatabaseCommand } from './command-types.ts';

interface DatabaseCommandEntry {
  usage: string;
  summary: string;
  load(): Promise<DatabaseCommand>;
}

export const databaseCommands = {
  migrate: {
    usage: 'migrate',
    summary: 'apply pending database migrations',
    load: async () => (await import('./commands/migrate.ts')).migrateCommand,
  },
  seed: {
    usage: 'seed [--products N]',
    summary: 'create the demo business, and N more products in it',
    load: async () => (await import('./commands/seed.ts')).seedCommand,
  },
  keys: {
    usage: 'keys rotate [--revoke]',
    summary: 'create a new signing key; --revoke also rejects tokens signed with the old keys',
    load: async () => (await import('./commands/signing-keys.ts')).signingKeysCommand,
  },
  secrets: {
    usage: 'secrets rotate',
    summary: 'encrypt every secret in the database with the first key of SECRETS_KEY',
    load: async () => (await import('./commands/secrets.ts')).secretsCommand,
  },
  jobs: {
    usage: 'jobs [--failed | --retry ID | --drop ID]',
    summary:
      'list queues and permanently failed jobs, mails, refunds, deliveries and payments; retry or drop one',
    load: async () => (await import('./commands/jobs.ts')).jobsCommand,
  },
  usage: {
    usage: 'usage [--days N] [--client NAME] [--fields | --json]',
    summary: 'list which client uses which operations, REST paths and fields, and how often',
    load: async () => (await import('./commands/usage.ts')).usageCommand,
  },
  import: {
    usage: 'import FILE --business ID --resource NAME --as EMAIL [--format NAME] [--collection ID]',
    summary: 'import the lines of a file on behalf of a member, and report rejected lines',
    load: async () => (await import('./commands/import-export.ts')).importCommand,
  },
  export: {
    usage: 'export FILE --business ID --resource NAME --as EMAIL [--format NAME] [--collection ID]',
    summary: 'export the records of a business that a member may see',
    load: async () => (await import('./commands/import-export.ts')).exportCommand,
  },
  reconcile: {
    usage: 'reconcile [--dry-run]',
    summary: 'compare open payments with the payment provider, and repair differences',
    load: async () => (await import('./commands/reconcile.ts')).reconcileCommand,
  },
  audit: {
    usage: 'audit',
    summary: 'verify that payments, stock and promo codes balance, also against the payment provider',
    load: async () => (await import('./commands/audit.ts')).auditCommand,
  },
  backup: {
    usage: 'backup FILE',
    summary: 'back up the embedded database to a file, while it is in use',
    load: async () => (await import('./commands/backup.ts')).backupCommand,
  },
  doctor: {
    usage: 'doctor',
    summary: 'check configuration, connections and clocks, and suggest fixes',
    load: async () => (await import('./doctor/check-database.ts')).doctorDatabaseCommand,
  },
} satisfies Readonly<Record<string, DatabaseCommandEntry>>;

export const findDatabaseCommand = (name: string): Promise<DatabaseCommand> | undefined =>
  (databaseCommands as Readonly<Record<string, DatabaseCommandEntry>>)[name]?.load();
