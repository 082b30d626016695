/** Parts that take what they are sent and say nothing: nobody waits for them for ever, and a new connection is tried. */
import { type AddressInfo, createServer } from 'node:net';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { connectRedis, createRedisLimits, readRedisTime } from '../../src/adapters/limits/redis-limits.ts';
import { checkSmtp } from '../../src/adapters/mail/smtp.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { startRedis } from '../support/redis.ts';

const waitMs = 100;

it('counts together again after the connection to Redis was forgotten on the way', async () => {
  const server = await startRedis();
  const way = await startFaultProxy(server.url);
  const log = pino({ level: 'silent' });
  const [here, there] = [await connectRedis(way.url, log, waitMs), await connectRedis(server.url, log)];
  const [limits, others] = [createRedisLimits(here), createRedisLimits(there)];
  const rule = { name: 'mute', points: 1_000, seconds: 600 };
  const leftFor = async (whose: typeof limits) => (await whose.consume(rule, 'somebody'))?.remaining ?? 0;
  try {
    expect(await leftFor(limits)).toBe(999);
    way.forget();
    // This one is counted by nobody else.
    expect(await leftFor(limits)).toBe(999);
    expect(await leftFor(others)).toBeLessThan(999);
    const seen = async () => (await leftFor(others)) - (await leftFor(limits));
    await expect.poll(seen).toBe(1);
  } finally {
    await limits.close();
    await others.close();
    await way.close();
    await server.stop();
  }
});

/** Takes everything, and says no more than hello. */
async function muteServer(hello: string) {
  const server = createServer((socket) => {
    socket.on('error', () => {}).resume();
    socket.write(hello);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { at: `127.0.0.1:${port}`, close: () => server.close() };
}

it('the doctor does not wait for a mail server that greets and then says nothing, nor for such a Redis', async () => {
  const [mail, redis] = [await muteServer('220 here\r\n'), await muteServer('')];
  expect(await checkSmtp(`smtp://${mail.at}`, waitMs)).toBe('Timeout');
  expect(await readRedisTime(`redis://${redis.at}`, waitMs)).toBeUndefined();
  mail.close();
  redis.close();
});
