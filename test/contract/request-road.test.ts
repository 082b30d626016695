/** The road of a warm list of products: how many files it passes, and how often it changes layer, with the fast path on. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { packageRoot } from '../../src/lib/package-info.ts';

interface Road {
  protocol: string;
  status: number;
  files: number;
  changesOfLayer: number;
}

let roads: Road[];

beforeAll(async () => {
  const script = [process.execPath, '--import', 'tsx', 'scripts/trace-request.ts', '--json'] as const;
  const [program, ...args] = script;
  const { stdout } = await promisify(execFile)(program, args, { cwd: packageRoot });
  roads = JSON.parse(stdout) as Road[];
});

it.each([
  ['REST', 35],
  ['GraphQL', 35],
])('of %s passes at most %i files and changes layer at most 14 times', (protocol, maxFiles) => {
  const road = roads.find((road) => road.protocol === protocol);
  expect(road?.status).toBe(200);
  expect(road?.files).toBeLessThanOrEqual(maxFiles);
  expect(road?.changesOfLayer).toBeLessThanOrEqual(14);
  // Fewer files than a resolver and its statement need: the trace has recorded nothing.
  expect(road?.files).toBeGreaterThan(20);
});
