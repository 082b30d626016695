/**
 * Runs the commands that a document shows, and compares their output with the comments below them. In a block of `sh`, comment lines
 * directly after a command are its output: `…` stands for any text, and white space does not count. `sh background` keeps running while
 * the blocks after it run. A block of another language with a file name, such as `js shop.mjs`, is written to that file.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inject, vi } from 'vitest';
import { readDocument } from './documents.ts';

interface Step {
  /** Document and line of the command. */
  at: string;
  command: string;
  /** Expected output; undefined if the document shows none. */
  expected: string | undefined;
  isBackground: boolean;
}

interface Block {
  language: string;
  /** Word after the language. */
  note: string;
  lines: string[];
  line: number;
}

/** Fenced code blocks of a document. */
export function codeBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let current: Block | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^```(\w*) ?(\S*)/.exec(line);
    if (fence && current) {
      blocks.push(current);
      current = undefined;
    } else if (fence)
      current = { language: fence[1] ?? '', note: fence[2] ?? '', lines: [], line: index + 2 };
    else current?.lines.push(line);
  }
  return blocks;
}

/** A line such as `# … after the purchase:` stands for any text. */
const outputLine = (comment: string) => comment.replace(/^#\s*/, '').replace(/^… [^"]*:$/, '…');

function stepsOf(document: string, { lines, line, note }: Block): Step[] {
  const steps: Step[] = [];
  let command: string[] = [];
  let output: string[] = [];
  let start = line;
  const finish = () => {
    const text = command.join('\n').trim();
    const expected = output.length > 0 ? output.map(outputLine).join('') : undefined;
    if (text !== '')
      steps.push({
        at: `${document}:${start}`,
        command: text,
        expected,
        isBackground: note === 'background',
      });
    [command, output] = [[], []];
  };
  for (const [index, content] of lines.entries()) {
    const isComment = content.startsWith('#');
    if (isComment && command.length > 0) output.push(content);
    else if (!isComment) {
      if (output.length > 0 || content === '') finish();
      if (command.length === 0) start = line + index;
      command.push(content);
    }
  }
  finish();
  return steps;
}

export interface RunOptions {
  /** Empty folder for the files of the document. */
  folder: string;
  /** Origin of the gateway, which the document calls http://localhost:4000. */
  url: string;
  env: NodeJS.ProcessEnv;
  /** Hosts that the document names, and those that replace them. */
  otherHosts?: Readonly<Record<string, string>>;
  /** Shell text before the first command. */
  preamble?: string;
}

const squeeze = (text: string) => text.replace(/\s+/g, '');

/** Whether the output contains the parts of the pattern in their order. */
export function matchesPattern(pattern: string, output: string): boolean {
  const [first = '', ...rest] = squeeze(pattern).split('…');
  const text = squeeze(output);
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return rest.length === 0 ? text === first : rest.at(-1) === '' || text.endsWith(rest.at(-1) ?? '');
}

/** Shell text of a step: its output goes to a file, its exit code to another. Variables and folders are those of the shell. */
const stepScript = ({ command, isBackground }: Step, file: string) =>
  isBackground
    ? `{ ${command}\n} >${file} 2>&1 & background="$background $!"; for i in $(seq 300); do [ -s ${file} ] && break; sleep 0.2; done`
    : `{ ${command}\n} >${file} 2>&1; echo $? >${file}.code`;

/**
 * Keeps the shell and its background processes until their output is complete. Each process ends before its children: it would add
 * "Terminated" to the output.
 */
const waitForStop = (file: string) => `until [ -e ${file} ]; do sleep 0.1; done
for pid in $background; do children=$(pgrep -P $pid); kill $pid $children 2>/dev/null; done
true`;

function stepsOfDocument(document: string, folder: string, hosts: Readonly<Record<string, string>>): Step[] {
  const replaceHosts = (line: string) =>
    Object.entries(hosts).reduce((text, [host, other]) => text.replaceAll(host, other), line);
  return codeBlocks(readDocument(document)).flatMap((block) => {
    const lines = block.lines.map(replaceHosts);
    if (block.language === 'sh') return stepsOf(document, { ...block, lines });
    if (block.note === '') return [];
    const path = join(folder, block.note);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${lines.join('\n')}\n`);
    return [];
  });
}

/** Returns the commands that fail or print something else than the documents show. The documents share one shell. */
export async function runDocuments(
  documents: readonly string[],
  { folder, url, env, otherHosts = {}, preamble = '' }: RunOptions,
): Promise<string[]> {
  const results = mkdtempSync(join(folder, 'results-'));
  const hosts = { 'localhost:4000': `localhost:${new URL(url).port}`, ...otherHosts };
  const steps = documents.flatMap((document) => stepsOfDocument(document, folder, hosts));
  const outputOf = (index: number) => readFileSync(join(results, `${index}`), 'utf8');
  const isAsShown = ({ expected }: Step, index: number) =>
    expected === undefined || matchesPattern(expected, outputOf(index));
  const stop = join(results, 'stop');
  const script = [
    preamble,
    'background=',
    ...steps.map((step, index) => stepScript(step, join(results, `${index}`))),
    `touch ${join(results, 'done')}`,
    waitForStop(stop),
  ].join('\n');
  const running = runShell(script, folder, env);
  const backgrounds = steps
    .map((step, index) => [step, index] as const)
    .filter(([step]) => step.isBackground);
  if (backgrounds.length > 0)
    await vi
      .waitUntil(
        () =>
          existsSync(join(results, 'done')) && backgrounds.every(([step, index]) => isAsShown(step, index)),
        { timeout: 120_000, interval: 100 },
      )
      .catch(() => undefined);
  writeFileSync(stop, '');
  await running;
  return steps.flatMap((step, index) => {
    const code = step.isBackground ? '0' : readFileSync(join(results, `${index}.code`), 'utf8').trim();
    if (code === '0' && isAsShown(step, index)) return [];
    const { at, command, expected = 'success' } = step;
    return [`${at}: ${command}\n  exit code ${code}, output: ${outputOf(index)}\n  expected: ${expected}`];
  });
}

/** Defines the command `duet` of the shell, with variables that replace those of the document. */
export function duetCommand(env: Record<string, string>): string {
  const variables = Object.entries({ LOG_LEVEL: 'silent', ...env }).map(
    ([name, value]) => `${name}='${value}'`,
  );
  return `duet() { env ${variables.join(' ')} node '${join(inject('programs'), 'duet.js')}' "$@"; }`;
}

const runShell = (script: string, cwd: string, env: NodeJS.ProcessEnv) =>
  new Promise<void>((resolve, reject) => {
    const child = spawn('bash', ['-c', script], { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('close', () => resolve());
  });
