/** Commands that work on the database. A gateway with an embedded database runs them on behalf of the `duet` command. */
import type { DatabaseCommand } from './command-types-and-usage-error.ts';

/** `creates`: the command creates and migrates the database. `exists`: it may be unmigrated. */
export type DatabaseRequirement = 'creates' | 'exists' | 'migrated';

export interface CommandHelp {
  usage: string;
  summary: string;
  /** Options and arguments with their descriptions. */
  options?: Readonly<Record<string, string>>;
}

interface DatabaseCommandEntry extends CommandHelp {
  /** Default: `migrated`. */
  requires?: DatabaseRequirement;
  load(): Promise<DatabaseCommand>;
}

const bulkOptions = {
  '--business ID': 'the business',
  '--resource NAME': 'products, categories, entries, subscribers or orders',
  '--as EMAIL': 'the member whose permissions apply',
  '--format NAME': 'csv or jsonl; default: by the name of the file, or jsonl',
  '--collection ID': 'the collection, for entries and subscribers',
  '--json': 'the result as JSON',
};

export const databaseCommandsByName = {
  migrate: {
    usage: 'migrate [--json]',
    summary: 'apply pending database migrations',
    options: { '--json': 'the applied migrations as JSON' },
    requires: 'creates',
    load: async () => (await import('./commands/migrate-and-create-queues.ts')).migrateCommand,
  },
  seed: {
    usage: 'seed [--products N] [--json]',
    summary: 'create the demo business; not in production',
    options: {
      '--products N': 'add N generated products to it',
      '--json': 'prints the created records as JSON',
    },
    requires: 'creates',
    load: async () => (await import('./commands/seed-demo-shop.ts')).seedCommand,
  },
  init: {
    usage:
      'init --email EMAIL --name NAME [--market CODE] [--currency CODE] [--shipping AMOUNT] [--product NAME] [--price AMOUNT] [--json]',
    summary: 'create a shop with its owner, a market, shipping and a product',
    options: {
      '--email EMAIL': 'email address of the owner; an account is created if needed',
      '--name NAME': 'name of the shop',
      '--market CODE': 'code of the market; default: US',
      '--currency CODE': 'currency of the market; default: USD',
      '--shipping AMOUNT': 'price of shipping in minor units; default: 500',
      '--product NAME': 'name of the product',
      '--price AMOUNT': 'its price in minor units; default: 1000',
      '--json': 'the ids and the password as JSON',
    },
    requires: 'creates',
    load: async () => (await import('./commands/init-create-first-shop.ts')).createFirstShopCommand,
  },
  keys: {
    usage: 'keys rotate [--revoke] [--json]',
    summary: 'create a new signing key',
    options: {
      '--revoke': 'also reject tokens signed with the old keys',
      '--json': 'the id of the new key as JSON',
    },
    load: async () => (await import('./commands/keys-rotate-signing-keys.ts')).keysCommand,
  },
  secrets: {
    usage: 'secrets rotate [--json]',
    summary: 'encrypt every secret in the database with the first key of SECRETS_KEY',
    options: { '--json': 'the numbers of encrypted secrets as JSON' },
    load: async () => (await import('./commands/secrets-rotate.ts')).secretsCommand,
  },
  jobs: {
    usage: 'jobs [--failed | --retry ID | --drop ID] [--json]',
    summary: 'list the queues, and retry or drop permanently failed work',
    options: {
      '--failed': 'list failed jobs, mails, refunds, deliveries and payments',
      '--retry ID': 'queue one of them again',
      '--drop ID': 'remove one of them from the list',
      '--json': 'the list as JSON',
    },
    load: async () => (await import('./commands/jobs-and-failed-work.ts')).jobsCommand,
  },
  usage: {
    usage: 'usage [--days N] [--client NAME] [--fields | --json]',
    summary: 'list which client uses which operations, paths and fields',
    options: {
      '--days N': 'period; default: 30',
      '--client NAME': 'one client only',
      '--fields': 'fields and arguments instead of operations and paths',
      '--json': 'everything, as JSON',
    },
    load: async () => (await import('./commands/usage-by-client.ts')).usageCommand,
  },
  import: {
    usage: 'import FILE --business ID --resource NAME --as EMAIL [--format NAME] [--collection ID] [--json]',
    summary: 'import the lines of a file, and report rejected lines',
    options: bulkOptions,
    load: async () => (await import('./commands/import-and-export.ts')).importCommand,
  },
  export: {
    usage: 'export FILE --business ID --resource NAME --as EMAIL [--format NAME] [--collection ID] [--json]',
    summary: 'export the records of a business that a member may see',
    options: bulkOptions,
    load: async () => (await import('./commands/import-and-export.ts')).exportCommand,
  },
  reconcile: {
    usage: 'reconcile [--dry-run] [--days N] [--json]',
    summary: 'compare open payments with the provider, and repair differences',
    options: {
      '--dry-run': 'report differences and change nothing',
      '--days': 'days of payment pages to search for payments that are not recorded (default 30)',
      '--json': 'the differences as JSON',
    },
    load: async () => (await import('./commands/reconcile-payments.ts')).reconcileCommand,
  },
  audit: {
    usage: 'audit [--json]',
    summary: 'verify that payments, stock and promo codes balance',
    options: { '--json': 'the discrepancies as JSON' },
    load: async () => (await import('./commands/audit-money-and-stock.ts')).auditCommand,
  },
  'order-numbers': {
    usage: 'order-numbers skip N [--business ID] [--json]',
    summary: 'leave out 1 to 1,000,000 order numbers after a restore',
    options: { '--business ID': 'one business only; default: all', '--json': 'the next numbers as JSON' },
    load: async () => (await import('./commands/order-numbers-skip.ts')).orderNumbersCommand,
  },
  shards: {
    usage: 'shards [--check] [--json]',
    summary: 'list the database servers with their businesses, sizes and load',
    options: {
      '--check': 'verify that every business is on the server that the directory names, and on no other',
      '--json': 'the servers and findings as JSON',
    },
    requires: 'exists',
    load: async () => (await import('./commands/shards.ts')).shardsCommand,
  },
  move: {
    usage: 'move BUSINESS SERVER [--rehearse | --cancel] [--json]',
    summary: 'move a business to another server while it sells',
    options: {
      BUSINESS: 'id of the business',
      SERVER: 'name of the server in DATABASE_SHARDS, or home',
      '--rehearse': 'copy, compare and remove the copy',
      '--cancel': 'remove what an interrupted move or rehearsal has left, before the switch',
      '--json': 'durations, rows and findings as JSON',
    },
    load: async () => (await import('./commands/move-rehearse-or-cancel.ts')).moveCommand,
  },
  backup: {
    usage: 'backup FILE [--json]',
    summary: 'back up the embedded database to a file, while it is in use',
    options: { '--json': 'the path of the file as JSON' },
    // Also before an upgrade, with the new version.
    requires: 'exists',
    load: async () => (await import('./commands/backup-embedded-database.ts')).backupCommand,
  },
  doctor: {
    usage: 'doctor [--json]',
    summary: 'check configuration, connections and clocks, and suggest fixes',
    options: { '--json': 'the findings as JSON' },
    requires: 'exists',
    load: async () => (await import('./doctor/check-database.ts')).doctorDatabaseCommand,
  },
} satisfies Readonly<Record<string, DatabaseCommandEntry>>;

const entryOf = (name: string) =>
  (databaseCommandsByName as Readonly<Record<string, DatabaseCommandEntry>>)[name];

export const loadDatabaseCommand = (name: string): Promise<DatabaseCommand> | undefined =>
  entryOf(name)?.load();

export const getDatabaseRequirement = (name: string): DatabaseRequirement =>
  entryOf(name)?.requires ?? 'migrated';
