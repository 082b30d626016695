/** A mail is sent exactly once although the process is killed right after its response. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { uniqueEmail, validPassword } from '../support/accounts.ts';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { startGateway } from '../support/gateway-process.ts';
import { startSmtpServer } from '../support/smtp-server.ts';

it('sends each mail once although the process is killed after every response', async () => {
  const smtp = await startSmtpServer();
  const env = { DATABASE_URL: await auditedDatabaseUrl(), SMTP_URL: smtp.url };
  const emails = [uniqueEmail(), uniqueEmail(), uniqueEmail()];
  for (const email of emails) {
    const gateway = await startGateway(env);
    const response = await fetch(`${gateway.url}/v1/users/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: validPassword }),
    });
    expect(await response.json()).toEqual({ success: true });
    await gateway.kill();
  }
  const survivor = await startGateway(env);
  const recipients = () => smtp.mails.flatMap(({ to }) => to).sort();
  for (let attempt = 0; recipients().length < emails.length && attempt < 900; attempt += 1) await sleep(100);
  await sleep(2500);
  expect(recipients()).toEqual([...emails].sort());
  expect(new Set(smtp.mails.map(({ parsed }) => parsed.messageId)).size).toBe(emails.length);
  await survivor.kill();
});
