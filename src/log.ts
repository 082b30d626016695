/** Structured logs: JSON lines, or readable ones in a terminal. */
import { type Logger, pino } from 'pino';

export type { Logger };

/** Lines wait this long for others, so that many go out with one write. */
const gatherMs = 25;

/** `mixin` gives every line what is true where it is written. */
export function createLog(level: string, pretty: boolean, mixin?: () => object): Logger {
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
  const out = pino.destination({ sync: false });
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines !== '') out.write(lines);
    lines = '';
  };
  process.on('exit', () => {
    flush();
    try {
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
