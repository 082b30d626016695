/** A process that is killed the moment it has answered still sends the mail it promised, once. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { freshEmail, goodPassword } from '../support/accounts.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { startSmtp } from '../support/smtp.ts';

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

async function start(env: Record<string, string>): Promise<{ base: string; kill(): Promise<void> }> {
  const port = await freePort();
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    env: { ...process.env, ...env, PORT: String(port), NODE_ENV: 'development', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.push(child);
  const base = `http://127.0.0.1:${port}`;
  for (;;) {
    const ready = await fetch(`${base}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) break;
    if (child.exitCode !== null) throw new Error(`The gateway ended with ${child.exitCode}.`);
    await sleep(100);
  }
  const kill = () =>
    new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  return { base, kill };
}

it('sends each mail once, though the process was killed right after every answer', {
  timeout: 120_000,
}, async () => {
  const smtp = await startSmtp();
  const env = { DATABASE_URL: await testDatabaseUrl(), SMTP_URL: smtp.url };
  const emails = [freshEmail(), freshEmail(), freshEmail()];
  for (const email of emails) {
    const gateway = await start(env);
    const response = await fetch(`${gateway.base}/v1/users/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: goodPassword }),
    });
    expect(await response.json()).toEqual({ success: true });
    await gateway.kill();
  }
  const survivor = await start(env);
  const recipients = () => smtp.mails.flatMap(({ to }) => to).sort();
  for (let waited = 0; recipients().length < emails.length && waited < 300; waited += 1) await sleep(100);
  await sleep(2500);
  expect(recipients()).toEqual([...emails].sort());
  expect(new Set(smtp.mails.map(({ parsed }) => parsed.messageId)).size).toBe(emails.length);
  await survivor.kill();
});
