/** Structured logs: JSON lines, or readable ones in a terminal. */
import { type Logger, pino } from 'pino';

export type { Logger };

export function createLog(level: string, pretty: boolean): Logger {
  const options = { level, base: null };
  if (pretty) {
    const target = 'pino-pretty';
    return pino({
      ...options,
      transport: { target, options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } },
    });
  }
  // Lines that come while others are being written go out together, and no request waits for them.
  return pino(options, pino.destination({ sync: false }));
}
