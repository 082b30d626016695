/** Help texts of the `duet` command, within 80 columns. */
import { commandsByName } from './commands-by-name.ts';
import type { CommandHelp } from './database-commands-by-name.ts';

const maxColumns = 80;

/** Commands of the first groups; all others are in the last one. */
const commandGroups: Readonly<Record<string, readonly string[]>> = {
  'Run a gateway': ['start', 'migrate', 'doctor'],
  'Fill a shop': ['init', 'seed', 'import', 'export', 'types'],
  Operate: [],
};

/** List of all commands. */
export function formatCliUsage(): string {
  const grouped = new Set(Object.values(commandGroups).flat());
  const others = [...commandsByName.keys()].filter((name) => !grouped.has(name));
  // With the subcommand, such as `keys rotate`.
  const entryOf = ({ usage, summary }: CommandHelp) =>
    [/^[a-z-]+(?: [a-z]+)*/.exec(usage)?.[0] ?? usage, summary] as const;
  const width = Math.max(...[...commandsByName.values()].map((help) => entryOf(help)[0].length)) + 5;
  const groups = Object.entries(commandGroups).map(([title, names]) => {
    const entries = (names.length > 0 ? names : others).flatMap((name) => commandsByName.get(name) ?? []);
    return `${title}:\n${entries.map((help) => formatEntry(...entryOf(help), width)).join('')}`;
  });
  return `Usage: duet COMMAND [OPTION…]

${groups.join('\n')}
"duet COMMAND --help" describes a command, "duet --version" prints the version.
Configuration comes from environment variables. A running gateway explains them
at /guide/reference/configuration.
`;
}

/** Help of one command. */
export function formatCommandHelp({ usage, summary, options = {} }: CommandHelp): string {
  const entries = Object.entries(options);
  const width = Math.max(0, ...entries.map(([label]) => label.length)) + 5;
  const lines = entries.map(([label, description]) => formatEntry(label, description, width));
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return `${formatCommandUsageLine(usage)}\n${wrap(sentence, 0)}${lines.length === 0 ? '' : `\n${lines.join('')}`}`;
}

export const formatCommandUsageLine = (usage: string): string => wrap(`Usage: duet ${usage}`, 12);

const formatEntry = (label: string, text: string, indent: number) =>
  wrap(`  ${label.padEnd(indent - 3)} ${text}`, indent);

/** Breaks a text at spaces outside of brackets; further lines are indented. */
function wrap(text: string, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.match(/\s*(?:\[[^\]]*\]|--\w+ [A-Z]+|\S+)/g) ?? []) {
    if (line !== '' && line.length + word.length > maxColumns) {
      lines.push(line);
      line = ' '.repeat(indent) + word.trimStart();
    } else line += word;
  }
  return `${[...lines, line].join('\n')}\n`;
}
