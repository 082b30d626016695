/** Delivery of mails to a real SMTP server and of text messages over HTTP: content, retries and rejections. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createUnsavedOneTimeToken } from '../../src/domains/users/account/one-time-tokens.ts';
import { listFailedWork, retryFailedWork } from '../../src/maintenance/failed-work.ts';
import { createAccount, uniqueEmail, validPassword } from '../support/accounts.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type HttpReceiver, startHttpReceiver } from '../support/http-receiver.ts';
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.ts';

describe('mail over SMTP', () => {
  let smtp: SmtpServer;
  let t: TestApp;
  beforeAll(async () => {
    smtp = await startSmtpServer();
    t = await testApp({
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Duet <accounts@duet.example>',
      PUBLIC_URL: 'https://duet.example',
      RATE_LIMIT: 'off',
    });
  });
  const register = (email: string, more: object = {}) =>
    t.rest('POST', '/v1/users/register', { body: { email, password: validPassword, ...more } });

  it('has HTML and text parts, a stable message id and no text of the registrant', async () => {
    const email = uniqueEmail();
    await register(email, { name: 'Eve\r\nBcc: all@people.example', firstName: 'X\nSubject: Hi' });
    expect(smtp.mails).toHaveLength(0);
    await t.app.drainJobs();
    expect(smtp.mails).toHaveLength(1);
    const [mail] = smtp.mails;
    expect([mail?.from, mail?.to]).toEqual(['accounts@duet.example', [email]]);
    expect(mail?.parsed).toMatchObject({
      from: { name: 'Duet', address: 'accounts@duet.example' },
      to: [{ address: email }],
      subject: 'Confirm your email address',
      messageId: expect.stringMatching(/^<[0-9a-f-]{36}@duet\.example>$/),
    });
    expect(mail?.parsed.headers.map(({ key }) => key).sort()).toEqual(
      ['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].sort(),
    );
    const link = /https:\/\/duet\.example\/account\/confirm\?token=[\w.-]+/;
    expect(mail?.parsed.text).toMatch(link);
    expect(mail?.parsed.html).toMatch(link);
    const token = new URL(link.exec(mail?.parsed.text ?? '')?.[0] ?? '').searchParams.get('token');
    expect((await t.rest('PUT', '/v1/users/confirm', { body: { token } })).status).toBe(200);
  });

  it('is not sent for a rejected registration', async () => {
    const email = uniqueEmail();
    await register(email);
    await t.app.drainJobs();
    const before = smtp.mails.length;
    expect((await register(email)).status).toBe(400);
    await t.app.drainJobs();
    expect(smtp.mails).toHaveLength(before);
  });

  it('is retried while the server is busy, and listed as a failure when it is rejected permanently', async () => {
    const email = uniqueEmail();
    smtp.rejections.push({ code: 451, text: 'Try again later' });
    await register(email);
    await expect(t.app.drainJobs()).rejects.toThrow('Try again later');
    const [job] = await t.db.sql<{ state: string }>(
      `select state::text from pgboss.job where name = 'users.confirm-mail' and data->>'email' = $1`,
      [email],
    );
    expect(job?.state).not.toBe('completed');
    const other = uniqueEmail();
    smtp.rejections.push({ code: 550, text: 'No such mailbox' });
    await register(other);
    await t.app.drainJobs();
    expect(smtp.mails.filter(({ to }) => to.includes(other))).toEqual([]);
    const [failure] = await listFailedWork(t.db, 10);
    expect(failure).toMatchObject({
      kind: 'mail',
      subject: 'users.confirm-mail, after 1 tries',
      reason: 'The mail server rejected the mail permanently.',
    });
    expect(await retryFailedWork(t.app.services, 'mail', failure?.id ?? '')).toBe(true);
    await t.app.drainJobs();
    expect(smtp.mails.filter(({ to }) => to.includes(other))).toHaveLength(1);
    expect(await listFailedWork(t.db, 10)).toEqual([]);
  });
});

describe('text messages', () => {
  const phoneNumber = '+4915112345678';
  const send = async (t: TestApp) => {
    const person = await createAccount(t);
    const answer = await t.rest('POST', '/v1/users/phone-number', { as: person, body: { phoneNumber } });
    expect(answer.status).toBe(200);
    return person;
  };
  const codeIn = (text: string) => /\b\d{6}\b/.exec(text)?.[0] ?? '';

  it('are posted to a webhook as {to, text}, and retried when it is busy', async () => {
    const receiver: HttpReceiver = await startHttpReceiver();
    const t = await testApp({ SMS_WEBHOOK_URL: `${receiver.url}/sms` });
    const person = await send(t);
    receiver.statuses.push(503);
    await expect(t.app.drainJobs()).rejects.toThrow('503');
    await t.db.write(
      `update pgboss.job set state = 'retry', start_after = now() where name = 'users.phone-code'`,
    );
    await t.app.drainJobs();
    expect(receiver.received).toHaveLength(2);
    const [first, second] = receiver.received;
    expect(first?.headers['idempotency-key']).toBe(second?.headers['idempotency-key']);
    expect(second).toMatchObject({ method: 'POST', path: '/sms' });
    const body = JSON.parse(second?.body ?? '') as { to: string; text: string };
    expect(body).toEqual({ to: phoneNumber, text: expect.stringMatching(/^Your code is \d{6}\./) });
    const confirm = await t.rest('POST', '/v1/users/phone-number/confirm', {
      as: person,
      body: { phoneNumber, code: codeIn(body.text) },
    });
    expect(confirm.status).toBe(200);
  });

  it('are sent to Twilio in its format, and not retried when it rejects them', async () => {
    const receiver = await startHttpReceiver();
    const twilio = {
      TWILIO_ACCOUNT_SID: 'AC123',
      TWILIO_AUTH_TOKEN: 'token',
      TWILIO_FROM: '+15550001111',
      TWILIO_API_BASE: receiver.url,
    };
    const t = await testApp(twilio);
    await send(t);
    await t.app.drainJobs();
    const [request] = receiver.received;
    expect(request).toMatchObject({ method: 'POST', path: '/2010-04-01/Accounts/AC123/Messages.json' });
    expect(request?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from('AC123:token').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
    });
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      To: phoneNumber,
      From: '+15550001111',
      Body: expect.stringMatching(/^Your code is \d{6}\./),
    });
    receiver.statuses.push(400);
    await send(t);
    await t.app.drainJobs();
    expect(receiver.received).toHaveLength(2);
    const service = await testApp({ ...twilio, TWILIO_FROM: 'MG42' });
    await send(service);
    await service.app.drainJobs();
    expect(receiver.received[2]?.body).toContain('MessagingServiceSid=MG42');
  });
});

describe('the sandbox outbox', () => {
  const page = async (t: TestApp, path: string) => {
    const response = await t.app.fetch(new Request(`http://duet.test${path}`));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('lists mails and text messages with working links, and escapes their content', async () => {
    const t = await testApp({ PUBLIC_URL: 'http://duet.test', RATE_LIMIT: 'off' });
    expect((await page(t, '/sandbox/outbox')).text).toContain('No messages yet');
    const person = await createAccount(t);
    await t.rest('POST', '/v1/users/phone-number', { as: person, body: { phoneNumber: '+4915112345678' } });
    await t.app.drainJobs();
    await t.app.services.mail.send({
      to: 'x@people.example',
      subject: '<img src=x>',
      html: '<script>alert(1)</script>',
      text: '<b>&',
    });
    const { status, headers, text } = await page(t, '/sandbox/outbox');
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).toContain('Your code is ');
    expect(text).toMatch(/<a href="http:\/\/duet\.test\/account\/confirm\?token=[\w.-]+"/);
    expect(text).toContain('&lt;img src=x&gt;');
    expect(text).not.toMatch(/<script|<img src=x|<b>/);
  });

  it('is readable neither by pages of other origins nor, in production, without the token of the operator', async () => {
    const t = await testApp();
    const outbox = (of: TestApp, headers: Record<string, string> = {}, method = 'GET') =>
      of.app.fetch(
        new Request('http://duet.test/sandbox/outbox', {
          method,
          headers: { origin: 'https://evil.example', accept: 'application/json', ...headers },
        }),
      );
    const response = await outbox(t);
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    const preflight = await outbox(t, { 'access-control-request-method': 'GET' }, 'OPTIONS');
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
    const api = await t.app.fetch(new Request('http://duet.test/v1/businesses'));
    expect(api.headers.get('access-control-allow-origin')).toBe('*');
    const production = { NODE_ENV: 'production', SANDBOX: 'allowed' };
    expect((await outbox(await testApp(production))).status).toBe(404);
    const ADMIN_TOKEN = 'operator-token-of-32-characters-x';
    const operated = await testApp({ ...production, ADMIN_TOKEN });
    expect((await outbox(operated)).status).toBe(401);
    expect((await outbox(operated, { authorization: `Bearer ${ADMIN_TOKEN}` })).status).toBe(200);
    const admin = await operated.app.fetch(new Request('http://duet.test/admin/status'));
    expect(admin.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('does not exist when mails and text messages are delivered', async () => {
    const t = await testApp({ SMTP_URL: 'smtp://127.0.0.1:9', SMS_WEBHOOK_URL: 'http://127.0.0.1:9' });
    expect((await page(t, '/sandbox/outbox')).status).toBe(404);
  });

  it('links to pages that change nothing when they are only opened', async () => {
    const t = await testApp({ PUBLIC_URL: 'http://duet.test' });
    const { userId, email } = await createAccount(t);
    const confirm = await createUnsavedOneTimeToken(t.app.services, 'CONFIRM', userId);
    await t.db.transaction(confirm.save);
    const unsaved = await createUnsavedOneTimeToken(t.app.services, 'CONFIRM', userId);
    for (const [path, status] of [
      [`/account/confirm?token=${confirm.token}`, 200],
      [`/account/confirm?token=${confirm.token}`, 200],
      [`/account/reset-password?token=${confirm.token}`, 404],
      // The account is confirmed: the page says so.
      [`/account/confirm?token=${unsaved.token}`, 200],
      ['/account/confirm?token=x"><script>alert(1)</script>', 404],
      ['/account/confirm', 404],
    ] as const) {
      const shown = await page(t, path);
      expect(shown.status, path).toBe(status);
      expect(shown.text.includes(email)).toBe(status === 200);
      expect(shown.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
      expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
      expect(shown.text).not.toContain('alert(1)');
    }
  });
});
