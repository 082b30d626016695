/** Structured logs: JSON lines, or readable ones in a terminal. */
import { writeSync } from 'node:fs';
import { type Logger, pino } from 'pino';

export type { Logger };

/** Lines wait this long for others, so that many go out with one write. */
const gatherMs = 25;

/** `mixin` gives every line what is true where it is written. */
export function createLogger(level: string, pretty: boolean, mixin?: () => object): Logger {
  const options = { level, base: null, ...(mixin ? { mixin } : {}) };
  if (pretty) {
    const target = 'pino-pretty';
    return pino({
      ...options,
      transport: { target, options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } },
    });
  }
  return pino(options, gathered());
}

function gathered() {
  let ending = false;
  // A reader that does not keep up is waited for, but not by a process that ends.
  const out = pino.destination({ sync: false, retryEAGAIN: () => !ending });
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines !== '') out.write(lines);
    lines = '';
  };
  process.on('exit', () => {
    ending = true;
    try {
      // Not by the stream, which would wait for ever for a reader that is gone.
      for (let rest = Buffer.from(lines); rest.length > 0; ) rest = rest.subarray(writeSync(1, rest));
      out.flushSync();
    } catch {
      // There is nobody left to write to.
    }
  });
  return {
    write(line: string) {
      lines += line;
      timer ??= setTimeout(flush, gatherMs);
    },
  };
}
