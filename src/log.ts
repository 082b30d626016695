/** Structured logs: JSON lines, or readable ones in a terminal. */
import { type Logger, pino } from 'pino';

export type { Logger };

export function createLog(level: string, pretty: boolean): Logger {
  return pino({
    level,
    base: null,
    ...(pretty
      ? {
          transport: {
            target: 'pino-pretty',
            options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' },
          },
        }
      : {}),
  });
}
