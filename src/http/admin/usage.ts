/** Which REST paths are used by which client since the process began: for who wants to retire one. Bounded, in memory. */
import { createHash } from 'node:crypto';
import type { HttpRequest } from '../../message.ts';

export interface Used {
  route: string;
  client: string;
  count: number;
  /** When it was last used, in seconds. */
  lastAt: number;
}

export interface Usage {
  note(request: HttpRequest, route: string): void;
  /** Most used first. */
  list(): Used[];
}

const nameable = /^[\x20-\x7e]{1,60}$/;

/** The name a client gives itself, or a mark of its API key that tells it from others and gives nothing away. */
function clientOf(request: HttpRequest): string {
  const name = request.header('x-client-name')?.trim();
  if (name && nameable.test(name)) return name;
  const key = request.header('x-api-key');
  if (key) return `key ${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
  return 'unnamed';
}

/** Callers make up names: those beyond `most` share one line for each route. */
export function createUsage(now: () => number, most = 2000): Usage {
  const lines = new Map<string, Used>();
  return {
    note(request, route) {
      const named = clientOf(request);
      const known = lines.has(`${route}\0${named}`) || lines.size < most;
      const client = known ? named : 'others';
      const key = `${route}\0${client}`;
      const line = lines.get(key) ?? { route, client, count: 0, lastAt: 0 };
      line.count += 1;
      line.lastAt = now();
      lines.set(key, line);
    },
    list: () => [...lines.values()].sort((a, b) => b.count - a.count || a.route.localeCompare(b.route)),
  };
}
