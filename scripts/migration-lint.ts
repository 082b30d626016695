/** Linter of migrations: finds table rewrites, long locks and changes that break processes of the previous version. */
import { contractMigrationNamePattern, isLaterVersion } from '../src/db/migrations/detect-newer-database.ts';

export interface Finding {
  /** Starts at 1. */
  line: number;
  rule: string;
  /** Consequence, and what to do instead. */
  reason: string;
}

/** `-- lint: allow <rule>: <reason>` anywhere in the migration; the reason has at least 10 characters. */
const allowance = /^--\s*lint:\s*allow\s+([\w-]+):\s*(\S.{9,})$/gim;

interface Statement {
  text: string;
  line: number;
}

interface Facts {
  /** Tables that the same migration creates. They are empty and unused, so any change is safe. */
  createdTables: ReadonlySet<string>;
  /** `table.column` of columns that a validated check constraint proves to be not null. */
  notNullColumns: ReadonlySet<string>;
}

interface Rule {
  name: string;
  reason: string;
  isBrokenBy(statement: string, facts: Facts): boolean;
}

const name = '(?:"?\\w+"?\\.)?"?(\\w+)"?';
const alterTable = new RegExp(`^alter table (?:if exists )?(?:only )?${name}`, 'i');
const tableOf = (statement: string) => alterTable.exec(statement)?.[1];
const altersTableInUse = (statement: string, { createdTables }: Facts) => {
  const table = tableOf(statement);
  return table !== undefined && !createdTables.has(table);
};
const whenAltering = (pattern: RegExp) => (statement: string, facts: Facts) =>
  altersTableInUse(statement, facts) && pattern.test(statement);

/** PostgreSQL stores a default that is constant for the statement once, in the catalogue; any other default is written to every row. */
const volatileDefault =
  /\badd column\b[^,]*\bdefault\s+(?!now\(\)|current_timestamp\b)(?:"?\w+"?\.)?"?\w+"?\s*\(|\badd column\b[^,]*\b(?:big|small)?serial\b|\badd column\b[^,]*\bgenerated\b/i;

const rules: readonly Rule[] = [
  {
    name: 'volatile-default',
    reason: 'rewrites the table. Add the column without the default, then fill it in batches.',
    isBrokenBy: whenAltering(volatileDefault),
  },
  {
    name: 'not-null-column',
    reason: 'processes of the previous version insert rows without it. Add a constant default.',
    isBrokenBy: (statement, facts) =>
      altersTableInUse(statement, facts) &&
      actionsOf(statement).some(
        (action) =>
          /^add column\b/i.test(action) && /\bnot null\b/i.test(action) && !/\bdefault\b/i.test(action),
      ),
  },
  {
    name: 'alter-type',
    reason: 'rewrites the table under a lock. Add a new column instead.',
    isBrokenBy: whenAltering(/\balter column\b[^,]*\b(?:set data )?type\b/i),
  },
  {
    name: 'set-not-null',
    reason:
      'scans the whole table under a lock. Add a CHECK (… IS NOT NULL) NOT VALID, validate it, then set NOT NULL.',
    isBrokenBy: (statement, facts) =>
      altersTableInUse(statement, facts) &&
      actionsOf(statement).some((action) => {
        const column = /^alter column "?(\w+)"? set not null/i.exec(action)?.[1];
        return column !== undefined && !facts.notNullColumns.has(`${tableOf(statement)}.${column}`);
      }),
  },
  {
    name: 'constraint',
    reason: 'scans the whole table under a lock. Add it NOT VALID, and validate it in a separate statement.',
    isBrokenBy: (statement, facts) =>
      altersTableInUse(statement, facts) &&
      actionsOf(statement).some(
        (action) =>
          /^add (?:constraint "?\w+"? )?(?:check|foreign key|unique|primary key|exclude)\b/i.test(action) &&
          !/\bnot valid\b|\busing index\b/i.test(action),
      ),
  },
  {
    name: 'index',
    reason:
      'blocks writes until it is built. State the maximum duration, or build a large one before the upgrade: docs/how-to/operating.md.',
    isBrokenBy: (statement, { createdTables }) => {
      const match = new RegExp(
        `^create (?:unique )?index (?!concurrently)[^(]*? on (?:only )?${name}`,
        'i',
      ).exec(statement);
      return match?.[1] !== undefined && !createdTables.has(match[1]);
    },
  },
  {
    name: 'concurrently',
    reason:
      'waits for processes that wait for this migration, and leaves an invalid index. Run it manually before the upgrade: docs/how-to/operating.md.',
    isBrokenBy: (statement) =>
      /^(?:(?:create (?:unique )?|drop )index|reindex\b.*) concurrently\b/i.test(statement),
  },
  {
    name: 'drop-column',
    reason: 'processes of the previous version still read it. Drop it in the next version.',
    isBrokenBy: whenAltering(/\bdrop column\b/i),
  },
  {
    name: 'rename',
    reason: 'processes of the previous version use the old name. Add the new name and keep the old one.',
    isBrokenBy: whenAltering(/\brename\b/i),
  },
  {
    name: 'drop-table',
    reason: 'processes of the previous version still use it. Drop it in the next version.',
    isBrokenBy: (statement) => /^drop table\b/i.test(statement),
  },
  {
    name: 'long-lock',
    reason: 'blocks all reads and writes until it is finished.',
    isBrokenBy: (statement) =>
      /^(?:lock\b|vacuum full\b|cluster\b|reindex (?!.*concurrently))/i.test(statement),
  },
  {
    name: 'update-all',
    reason: 'writes every row in one transaction. Update in batches, in a job.',
    isBrokenBy: (statement) => /^(?:update|delete from)\b/i.test(statement) && !/\bwhere\b/i.test(statement),
  },
];

/** The comma-separated actions of an ALTER TABLE. */
function actionsOf(statement: string): string[] {
  const actions: string[] = [];
  let [depth, start] = [0, alterTable.exec(statement)?.[0].length ?? 0];
  for (let index = start; index <= statement.length; index++) {
    const character = statement[index];
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === undefined || (character === ',' && depth === 0)) {
      actions.push(statement.slice(start, index).trim());
      start = index + 1;
    }
  }
  return actions;
}

/** Statements that must not run while the gateway serves requests, unless the migration allows them with a reason. */
export function lintMigration(sql: string): Finding[] {
  const allowed = new Set([...sql.matchAll(allowance)].map(([, rule]) => rule));
  const statements = statementsOf(sql);
  const facts = factsOf(statements);
  return statements.flatMap(({ text, line }) =>
    rules
      .filter((rule) => !allowed.has(rule.name) && rule.isBrokenBy(text, facts))
      .map((rule) => ({ line, rule: rule.name, reason: rule.reason })),
  );
}

function factsOf(statements: readonly Statement[]): Facts {
  const createdTables = new Set<string>();
  const checkedColumns = new Map<string, string>();
  const notNullColumns = new Set<string>();
  for (const { text } of statements) {
    const created = new RegExp(`^create table (?:if not exists )?${name}`, 'i').exec(text)?.[1];
    if (created) createdTables.add(created);
    const table = tableOf(text);
    const check = /\badd constraint "?(\w+)"? check \(\s*\(?"?(\w+)"? is not null\)?\s*\) not valid/i.exec(
      text,
    );
    if (table && check?.[1] && check[2]) checkedColumns.set(check[1], `${table}.${check[2]}`);
    const validated = /\bvalidate constraint "?(\w+)"?/i.exec(text)?.[1];
    const column = validated && checkedColumns.get(validated);
    if (column) notNullColumns.add(column);
  }
  return { createdTables, notNullColumns };
}

/** `-- contract: 0.4.0`: the first version whose processes do not use what the migration removes. */
const contractLine = /^--\s*contract:\s*(\d+\.\d+\.\d+)\s*$/im;

/** Statements after which processes of an earlier version fail. An allowance is not enough: these need a version. */
const contracts: readonly ((statement: string, facts: Facts) => boolean)[] = [
  whenAltering(/\bdrop column\b|\brename\b|\balter column\b[^,]*\b(?:type|set not null)\b/i),
  (statement) => /^drop (?:table|view|materialized view|function|procedure|type|sequence)\b/i.test(statement),
  (statement) => /^alter (?:view|function|procedure|type|sequence)\b.*\brename\b/i.test(statement),
  (statement, facts) =>
    rules.some((rule) => rule.name === 'not-null-column' && rule.isBrokenBy(statement, facts)),
];

/**
 * Expand and contract: migrations only add, so that the previous version keeps running on the new schema. A migration that removes, renames
 * or restricts something must state the version from which no process uses it, also in its folder name: programs read it there and
 * refuse to start on a database that lacks something they use (src/db/migrations/detect-newer-database.ts).
 */
export function lintContract(folder: string, sql: string, currentVersion: string): Finding[] {
  const version = contractLine.exec(sql)?.[1];
  const nameVersion = contractMigrationNamePattern.exec(folder)?.slice(1).join('.');
  const finding = (line: number, reason: string): Finding => ({ line, rule: 'contract', reason });
  if (version !== nameVersion)
    return [
      finding(
        1,
        `the line "-- contract: ${version ?? nameVersion}" and a folder named <time>_contract_${(version ?? nameVersion)?.replaceAll('.', '_')}_<name> belong together.`,
      ),
    ];
  if (version !== undefined)
    return isLaterVersion(version, currentVersion)
      ? [
          finding(
            1,
            `version ${version} is not released: processes of version ${currentVersion} still use it.`,
          ),
        ]
      : [];
  const statements = statementsOf(sql);
  const facts = factsOf(statements);
  return statements
    .filter(({ text }) => contracts.some((isContract) => isContract(text, facts)))
    .map(({ line }) =>
      finding(
        line,
        'processes of the previous version use it. Only add, and remove it in a later version: "-- contract: <first version that does not use it>".',
      ),
    );
}

/** Splits a script into statements. Comments, function bodies and string literals are blanked: their content does not run in the migration. */
function statementsOf(sql: string): Statement[] {
  const blank = (part: string) => part.replace(/[^\n]/g, ' ');
  const plain = sql
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, blank)
    .replace(/'(?:[^']|'')*'/g, (text) => `'${blank(text.slice(1, -1)).replace(/ /g, 'x')}'`)
    .replace(/\/\*[\s\S]*?\*\//g, blank)
    .replace(/--[^\n]*/g, blank);
  const statements: Statement[] = [];
  let line = 1;
  for (const part of plain.split(';')) {
    const leadingSpace = /^\s*/.exec(part)?.[0] ?? '';
    const text = part.trim().replace(/\s+/g, ' ');
    if (text !== '') statements.push({ text, line: line + leadingSpace.split('\n').length - 1 });
    line += part.split('\n').length - 1;
  }
  return statements;
}
