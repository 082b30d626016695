/** Log format of a terminal: one line per request and per message, with colours by status and level. */
import { prettyFactory } from 'pino-pretty';
import { colourText, type TextColour } from './terminal-output.ts';

interface RequestLine {
  msg: string;
  time: number;
  method: string;
  route: string;
  status: number;
  ms: number;
  code?: string;
  requestId: string;
}

/** Returns a function that formats one JSON line of pino. */
export function createTerminalLogFormat(colours: boolean): (line: string) => string {
  const formatOther = prettyFactory({
    colorize: colours,
    singleLine: true,
    ignore: 'pid,hostname',
    translateTime: 'HH:MM:ss',
    // Without brackets, as in the lines of requests.
    customPrettifiers: { time: (time) => String(time) },
  });
  return (line) => {
    const entry = JSON.parse(line) as RequestLine;
    if (entry.msg === 'request') return formatRequest(entry, colours);
    // The line of its request has the code.
    if (entry.msg === 'operation failed') return '';
    return formatOther(entry) ?? '';
  };
}

/** The request id is shown for errors only: it finds further log lines. */
function formatRequest({ time, method, route, status, ms, code, requestId }: RequestLine, colours: boolean) {
  const path = route.replace(/^graphql/, '/graphql');
  const failure = status >= 400 || code !== undefined ? [code, `requestId=${requestId}`] : [];
  return `${[
    colourText(colours, 'dim', formatClock(time)),
    colourText(colours, statusColour(status, code), String(status)),
    `${method} ${path}`,
    `${ms} ms`,
    ...failure.filter((part) => part !== undefined),
  ].join(' ')}\n`;
}

/** GraphQL errors have status 200 and a code. */
function statusColour(status: number, code: string | undefined): TextColour {
  if (status >= 500) return 'red';
  if (status >= 400 || code !== undefined) return 'yellow';
  return 'green';
}

const formatClock = (time: number) => new Date(time).toTimeString().slice(0, 8);
