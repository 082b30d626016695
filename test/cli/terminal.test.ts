/** Output in a terminal: colours, the progress line, and one log line per request; none of it elsewhere. */
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { UsageError } from '../../src/cli/command-types-and-usage-error.ts';
import { askForMissing } from '../../src/cli/commands/init-ask-for-options.ts';
import { formatFinding, noteFinding } from '../../src/cli/doctor/create-and-format-findings.ts';
import { createTerminalLogFormat } from '../../src/cli/terminal-log.ts';
import { colourText, createCommandOutput, hasColours } from '../../src/cli/terminal-output.ts';

function recordOutput(isTTY: boolean, env: Record<string, string> = {}) {
  const written: string[] = [];
  const stream = (name: string) => ({ isTTY, write: (text: string) => written.push(`${name}:${text}`) });
  return { written, output: createCommandOutput(stream('out'), stream('err'), env) };
}

it.each([
  [{ isTTY: true }, {}, true],
  [{ isTTY: true }, { NO_COLOR: '1' }, false],
  [{ isTTY: true }, { TERM: 'dumb' }, false],
  [{ isTTY: false }, {}, false],
])('colours of %o with %o: %s', (stream, env, expected) => {
  expect(hasColours({ write: () => {}, ...stream }, env)).toBe(expected);
});

it('replaces the progress line by later output, and shows it in terminals only', () => {
  const terminal = recordOutput(true);
  terminal.output.progress('1/2');
  terminal.output.progress('2/2');
  terminal.output.write('Done.\n');
  terminal.output.end();
  expect(terminal.written).toEqual([
    'err:\r\u001b[K1/2',
    'err:\r\u001b[K2/2',
    'err:\r\u001b[K',
    'out:Done.\n',
  ]);
  const pipe = recordOutput(false);
  pipe.output.progress('1/2');
  pipe.output.write('Done.\n');
  expect(pipe.written).toEqual(['out:Done.\n']);
});

it('colours the level of a finding', () => {
  const finding = noteFinding('jobs', 'late');
  expect(formatFinding(finding, false)).toBe('note  jobs          late\n');
  expect(formatFinding(finding, true)).toBe(`${colourText(true, 'yellow', 'note')}  jobs          late\n`);
  expect(colourText(true, 'red', 'x')).toBe('\u001b[31mx\u001b[39m');
});

it('logs each request and each message in one line', () => {
  const lines: string[] = [];
  const format = createTerminalLogFormat(false);
  const log = pino({ base: null }, { write: (line: string) => void lines.push(format(line)) });
  const facts = { requestId: 'r-1', method: 'GET', ms: 3.2 };
  log.info({ ...facts, route: '/v1/products', status: 200, code: undefined }, 'request');
  log.info({ ...facts, method: 'POST', route: 'graphql Cart', status: 200, code: 'NOT_FOUND' }, 'request');
  log.info({ ...facts, method: 'POST', route: 'graphql', status: 200, code: undefined }, 'request');
  log.info({ requestId: 'r-1', operation: 'Cart', caller: 'anonymous' }, 'operation failed');
  log.warn({ deletedRows: 3, table: 'x' }, 'rows deleted');
  expect(lines.map((line) => line.replace(/\d\d:\d\d:\d\d/, 'TIME'))).toEqual([
    'TIME 200 GET /v1/products 3.2 ms\n',
    'TIME 200 POST /graphql Cart 3.2 ms NOT_FOUND requestId=r-1\n',
    'TIME 200 POST /graphql 3.2 ms\n',
    '',
    'TIME WARN: rows deleted {"deletedRows":3,"table":"x"}\n',
  ]);
  const coloured = createTerminalLogFormat(true)(
    JSON.stringify({ ...facts, time: 0, msg: 'request', route: '/x', status: 500, code: 'INTERNAL' }),
  );
  expect(coloured).toContain(colourText(true, 'red', '500'));
  expect(stripVTControlCharacters(coloured)).toMatch(/ 500 GET \/x 3\.2 ms INTERNAL requestId=r-1\n$/);
});

it('creates no shop when the input ends before an answer', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const options = { email: 'ada@people.example', name: '' };
  input.write('Tea\n');
  expect(await askForMissing(options, { input, output })).toEqual(['--name', 'Tea']);
  const ended = new PassThrough();
  ended.end();
  await expect(askForMissing(options, { input: ended, output })).rejects.toThrow(UsageError);
});
