/** Logger: JSON lines on stdout, or formatted lines in a terminal. */
import { writeSync } from 'node:fs';
import { type Logger, pino } from 'pino';

export type { Logger };

/** Lines are buffered for this long and written in one system call. */
const flushMs = 25;

/** `mixin` returns fields to add to every line, such as the trace id. `format` turns a JSON line into the line that is written. */
export function createLogger(
  level: string,
  format?: ((line: string) => string) | undefined,
  mixin?: () => object,
): Logger {
  const options = { level, base: null, ...(mixin ? { mixin } : {}) };
  return pino(
    options,
    format ? { write: (line) => void process.stdout.write(format(line)) } : createBufferedStdout(),
  );
}

function createBufferedStdout() {
  let ending = false;
  // Writes are retried while a slow reader blocks the pipe, but not after the process has begun to exit.
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
      // writeSync instead of the stream, which would wait forever for a reader that has closed the pipe.
      for (let remaining = Buffer.from(lines); remaining.length > 0; )
        remaining = remaining.subarray(writeSync(1, remaining));
      out.flushSync();
    } catch {
      // The reader has closed the pipe.
    }
  });
  return {
    write(line: string) {
      lines += line;
      timer ??= setTimeout(flush, flushMs);
    },
  };
}
