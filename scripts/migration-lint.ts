/** Reads the SQL of migrations for what would stop a running shop: rewrites, long locks, and what old processes still use. */

export interface Fault {
  /** 1 for the first. */
  line: number;
  rule: string;
  why: string;
}

/** `-- lint: allow <rule>: <reason>` somewhere in the migration, with a reason of a few words at least. */
const allowance = /^--\s*lint:\s*allow\s+([\w-]+):\s*(\S.{9,})$/gim;

interface Statement {
  text: string;
  line: number;
}

interface Facts {
  /** Tables that this very migration makes are empty and nobody's: anything goes. */
  made: ReadonlySet<string>;
  /** Columns whose NOT NULL a validated check has proved: `table.column`. */
  proved: ReadonlySet<string>;
}

interface Rule {
  name: string;
  why: string;
  breaks(statement: string, facts: Facts): boolean;
}

const name = '(?:"?\\w+"?\\.)?"?(\\w+)"?';
const altered = new RegExp(`^alter table (?:if exists )?(?:only )?${name}`, 'i');
const tableOf = (statement: string) => altered.exec(statement)?.[1];
const inUse = (statement: string, { made }: Facts) => {
  const table = tableOf(statement);
  return table !== undefined && !made.has(table);
};
const altering = (pattern: RegExp) => (statement: string, facts: Facts) =>
  inUse(statement, facts) && pattern.test(statement);

/** Values that are the same for every row are kept once, in the catalogue; others are written into every row. */
const volatileDefault =
  /\badd column\b[^,]*\bdefault\s+(?!now\(\)|current_timestamp\b)(?:"?\w+"?\.)?"?\w+"?\s*\(|\badd column\b[^,]*\b(?:big|small)?serial\b|\badd column\b[^,]*\bgenerated\b/i;

const rules: readonly Rule[] = [
  {
    name: 'volatile-default',
    why: 'rewrites the table. Add the column without it, then fill it in batches.',
    breaks: altering(volatileDefault),
  },
  {
    name: 'not-null-column',
    why: 'old processes insert rows without it. Give it a constant default.',
    breaks: (statement, facts) =>
      inUse(statement, facts) &&
      actionsOf(statement).some(
        (action) =>
          /^add column\b/i.test(action) && /\bnot null\b/i.test(action) && !/\bdefault\b/i.test(action),
      ),
  },
  {
    name: 'alter-type',
    why: 'rewrites the table under a lock. Add a new column instead.',
    breaks: altering(/\balter column\b[^,]*\b(?:set data )?type\b/i),
  },
  {
    name: 'set-not-null',
    why: 'reads the whole table under a lock. Add a CHECK (… IS NOT NULL) NOT VALID, validate it, then set it.',
    breaks: (statement, facts) =>
      inUse(statement, facts) &&
      actionsOf(statement).some((action) => {
        const column = /^alter column "?(\w+)"? set not null/i.exec(action)?.[1];
        return column !== undefined && !facts.proved.has(`${tableOf(statement)}.${column}`);
      }),
  },
  {
    name: 'constraint',
    why: 'reads the whole table under a lock. Add it NOT VALID, and validate it in a statement of its own.',
    breaks: (statement, facts) =>
      inUse(statement, facts) &&
      actionsOf(statement).some(
        (action) =>
          /^add (?:constraint "?\w+"? )?(?:check|foreign key|unique|primary key|exclude)\b/i.test(action) &&
          !/\bnot valid\b|\busing index\b/i.test(action),
      ),
  },
  {
    name: 'index',
    why: 'stops writes until it is built. Say how long at most, or have a large one built before: docs/operating.md.',
    breaks: (statement, { made }) => {
      const found = new RegExp(
        `^create (?:unique )?index (?!concurrently)[^(]*? on (?:only )?${name}`,
        'i',
      ).exec(statement);
      return found?.[1] !== undefined && !made.has(found[1]);
    },
  },
  {
    name: 'concurrently',
    why: 'waits for processes that wait for this migration, and leaves an invalid index. Run it by hand before: docs/operating.md.',
    breaks: (statement) =>
      /^(?:(?:create (?:unique )?|drop )index|reindex\b.*) concurrently\b/i.test(statement),
  },
  {
    name: 'drop-column',
    why: 'old processes still read it. Drop it in the version after.',
    breaks: altering(/\bdrop column\b/i),
  },
  {
    name: 'rename',
    why: 'old processes know the old name. Add the new one beside it.',
    breaks: altering(/\brename\b/i),
  },
  {
    name: 'drop-table',
    why: 'old processes still use it. Drop it in the version after.',
    breaks: (statement) => /^drop table\b/i.test(statement),
  },
  {
    name: 'long-lock',
    why: 'locks everybody out for as long as it takes.',
    breaks: (statement) => /^(?:lock\b|vacuum full\b|cluster\b|reindex (?!.*concurrently))/i.test(statement),
  },
  {
    name: 'update-all',
    why: 'writes every row in one transaction. Do it in batches, by a job.',
    breaks: (statement) => /^(?:update|delete from)\b/i.test(statement) && !/\bwhere\b/i.test(statement),
  },
];

/** The actions of an ALTER TABLE: it may have several, with commas between them. */
function actionsOf(statement: string): string[] {
  const actions: string[] = [];
  let [depth, start] = [0, altered.exec(statement)?.[0].length ?? 0];
  for (let at = start; at <= statement.length; at++) {
    const character = statement[at];
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === undefined || (character === ',' && depth === 0)) {
      actions.push(statement.slice(start, at).trim());
      start = at + 1;
    }
  }
  return actions;
}

/** What of a migration must not run while a shop is open, unless it says why it may. */
export function lintMigration(sql: string): Fault[] {
  const allowed = new Set([...sql.matchAll(allowance)].map(([, rule]) => rule));
  const statements = statementsOf(sql);
  const facts = factsOf(statements);
  return statements.flatMap(({ text, line }) =>
    rules
      .filter((rule) => !allowed.has(rule.name) && rule.breaks(text, facts))
      .map((rule) => ({ line, rule: rule.name, why: rule.why })),
  );
}

function factsOf(statements: readonly Statement[]): Facts {
  const made = new Set<string>();
  const checks = new Map<string, string>();
  const proved = new Set<string>();
  for (const { text } of statements) {
    const created = new RegExp(`^create table (?:if not exists )?${name}`, 'i').exec(text)?.[1];
    if (created) made.add(created);
    const table = tableOf(text);
    const check = /\badd constraint "?(\w+)"? check \(\s*\(?"?(\w+)"? is not null\)?\s*\) not valid/i.exec(
      text,
    );
    if (table && check?.[1] && check[2]) checks.set(check[1], `${table}.${check[2]}`);
    const validated = /\bvalidate constraint "?(\w+)"?/i.exec(text)?.[1];
    const column = validated && checks.get(validated);
    if (column) proved.add(column);
  }
  return { made, proved };
}

/** Without comments, and with the bodies of functions and texts as one token: what is in there runs later, or never. */
function statementsOf(sql: string): Statement[] {
  const blank = (part: string) => part.replace(/[^\n]/g, ' ');
  const plain = sql
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, blank)
    .replace(/'(?:[^']|'')*'/g, (text) => `'${blank(text.slice(1, -1)).replace(/ /g, 'x')}'`)
    .replace(/\/\*[\s\S]*?\*\//g, blank)
    .replace(/--[^\n]*/g, blank);
  const statements: Statement[] = [];
  let line = 1;
  for (const piece of plain.split(';')) {
    const lead = /^\s*/.exec(piece)?.[0] ?? '';
    const text = piece.trim().replace(/\s+/g, ' ');
    if (text !== '') statements.push({ text, line: line + lead.split('\n').length - 1 });
    line += piece.split('\n').length - 1;
  }
  return statements;
}
