/** Services that accept connections but do not respond: calls time out, and the connection is replaced. */
import { type AddressInfo, createServer } from 'node:net';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import {
  connectRedis,
  createRedisRateLimiter,
  readRedisTime,
} from '../../src/adapters/limits/redis-rate-limits.ts';
import { findSmtpProblem } from '../../src/adapters/mail/smtp.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { startRedis } from '../support/redis.ts';

const waitMs = 100;

it('shares rate limits again after the connection to Redis was dropped silently', async () => {
  const server = await startRedis();
  const proxy = await startFaultProxy(server.url);
  const log = pino({ level: 'silent' });
  const [proxied, direct] = [await connectRedis(proxy.url, log, waitMs), await connectRedis(server.url, log)];
  const [limits, otherLimits] = [createRedisRateLimiter(proxied), createRedisRateLimiter(direct)];
  const rule = { name: 'mute', points: 1_000, seconds: 600 };
  const consumeOne = async (rateLimits: typeof limits) =>
    (await rateLimits.consume(rule, 'somebody'))?.remaining ?? 0;
  try {
    expect(await consumeOne(limits)).toBe(999);
    proxy.stallOpenConnections();
    // Counted in this process only.
    expect(await consumeOne(limits)).toBe(999);
    expect(await consumeOne(otherLimits)).toBeLessThan(999);
    const difference = async () => (await consumeOne(otherLimits)) - (await consumeOne(limits));
    await expect.poll(difference).toBe(1);
  } finally {
    await limits.close();
    await otherLimits.close();
    await proxy.close();
    await server.stop();
  }
});

/** Accepts all input, and sends only a greeting. */
async function unresponsiveServer(greeting: string) {
  const server = createServer((socket) => {
    socket.on('error', () => {}).resume();
    socket.write(greeting);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { at: `127.0.0.1:${port}`, close: () => server.close() };
}

it('the checks of duet doctor time out on an unresponsive mail server and Redis', async () => {
  const [mail, redis] = [await unresponsiveServer('220 here\r\n'), await unresponsiveServer('')];
  expect(await findSmtpProblem(`smtp://${mail.at}`, waitMs)).toBe('Timeout');
  expect(await readRedisTime(`redis://${redis.at}`, waitMs)).toBeUndefined();
  mail.close();
  redis.close();
});
