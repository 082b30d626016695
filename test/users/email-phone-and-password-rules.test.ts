/** Rules for email addresses, phone numbers, passwords, names, mail links and the hashing semaphore. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cleanPersonName,
  deriveGuessablePasswordWords,
  findPasswordWeakness,
  normalizePhone,
  parseEmail,
} from '../../src/domains/users/email-phone-and-password-rules.ts';
import { resolveMailLinkBaseUrl } from '../../src/domains/users/messages/account-mail-links.ts';
import { createBoundedWorkQueue } from '../../src/lib/async/bounded-work-queue.ts';

describe('emails', () => {
  it.each([
    ['Ada@Example.COM', 'ada@example.com'],
    [' ada@example.com ', 'ada@example.com'],
    ['ada+shop@sub.example.co.uk', 'ada+shop@sub.example.co.uk'],
    ['zoe\u0308@example.com', 'zo\u00eb@example.com'],
    ['ada@b\u00fccher.example', 'ada@xn--bcher-kva.example'],
    ['\u212aelvin@example.com', 'kelvin@example.com'],
    ['ada@example', undefined],
    ['ada@127.0.0.1', undefined],
    ['ada@[127.0.0.1]', undefined],
    ['ada@example\n.com', undefined],
    ['ada@example.com/path', undefined],
    ['ada@example.com?query', undefined],
    ['ada@example.com#fragment', undefined],
    ['ada@example.com\\x', undefined],
    ['ada@example%2ecom', undefined],
    ['a'.repeat(65).concat('@example.com'), undefined],
    ['', undefined],
  ])('%j is %j', (input, expected) => {
    expect(parseEmail(input)).toBe(expected);
  });

  it('normalise idempotently and never contain characters that break a mail header', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.emailAddress(),
          fc.string({ unit: 'grapheme' }).map((text) => `${text}@example.com`),
        ),
        (input) => {
          const email = parseEmail(input);
          if (email === undefined) return;
          expect(parseEmail(email)).toBe(email);
          expect(email).not.toMatch(/[\s,;<>"\p{C}]/u);
        },
      ),
    );
  });
});

describe('phone numbers', () => {
  it.each([
    ['+49 (30) 123-456', '+4930123456'],
    ['0049 30 123456', '+4930123456'],
    ['15551234567', '+15551234567'],
    ['+1.555.123.4567', '+15551234567'],
    ['030 123456', undefined],
    ['+49', undefined],
    ['+1234567890123456', undefined],
    ['+49abc123456', undefined],
    ['++4930123456', undefined],
  ])('%j is %j', (input, expected) => {
    expect(normalizePhone(input)).toBe(expected);
  });
});

describe('passwords', () => {
  const weak = [
    'short',
    'ninechars',
    'password123',
    'passwordpassword',
    '1234567890',
    '0987654321',
    'qwertyuiop',
    'qwerty12345',
    '1q2w3e4r5t6y',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'abcdefghijkl',
    'iloveyou2023',
    'letmein12345',
    'administrator',
    'changeme1234',
    'football1999',
    '          ',
    '!!!!!!!!!!!!',
    '20240101202401',
    'trustno1trustno1',
    'iloveyouforever',
    'adminadmin123',
    'zaq12wsxcde3',
    'Password123!',
    'SecurePassword1!',
    'Welcome1234!',
    'Summer2024!!',
    'P@$$w0rd2024',
    'P@ssw0rd2026',
    'Manchester1!',
    'dragonball12',
    'Tiger2024!!!',
    'Elizabeth1990',
    'Samantha2010',
    'Barcelona2023!',
    'London2012!!',
    'S3bast1an#12',
    'abcdefghij1!',
    '12/12/2012!',
    'p@$$w0rd'.repeat(25),
  ];
  it.each(weak)('%j is too weak', (password) => {
    expect(findPasswordWeakness(password)).toBeTypeOf('string');
  });

  const strong = [
    'mauve otter climbs slowly',
    'duet-demo-password',
    'tr0ub4dor&3xyz',
    'X9$kqLmz27',
    'Strasse-im-Regen',
    'пароль-для-теста-7',
    'correct horse battery staple',
    'my cat hates mondays',
    '🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵',
  ];
  it.each(strong)('%j is accepted', (password) => {
    expect(findPasswordWeakness(password)).toBeUndefined();
  });

  it('must not be the email address', () => {
    const hints = deriveGuessablePasswordWords('jane.austen@people.example');
    for (const password of ['jane.austen@people.example', 'Jane.Austen', 'jane.austen1813']) {
      expect(findPasswordWeakness(password, hints)).toBeTypeOf('string');
    }
    expect(findPasswordWeakness('jane.austen writes novels', hints)).toBeUndefined();
  });

  it('must not be derived from the host name of the site, the product name or the email domain', () => {
    const hints = deriveGuessablePasswordWords(
      'jane@northanger.example',
      'https://www.velvet-beans.example/shop',
    );
    for (const password of ['Velvet2026!!', 'VelvetBeans1', 'velvet-beans-1', 'Duet2026!!', 'Northanger1!'])
      expect(findPasswordWeakness(password, hints)).toBeTypeOf('string');
    expect(findPasswordWeakness('Velvet paws on a tin roof', hints)).toBeUndefined();
  });
});

describe('names', () => {
  it('become a single line', () => {
    expect(cleanPersonName(' Ada\r\nBcc: x\u0000\u2028Lovelace ')).toBe('Ada Bcc: x Lovelace');
  });
});

describe('the base URL of mail links', () => {
  const config = {
    publicUrl: 'https://duet.example',
    allowedOrigins: ['https://shop.example', 'http://localhost:3000'],
  };
  it.each([
    [undefined, 'https://duet.example/account'],
    ['https://shop.example', 'https://shop.example'],
    ['https://shop.example/en/', 'https://shop.example/en'],
    ['shop.example', 'https://shop.example'],
    ['localhost:3000', 'http://localhost:3000'],
    ['https://duet.example', 'https://duet.example'],
    ['http://shop.example', undefined],
    ['https://shop.example:8443', undefined],
    ['https://shop.example.evil.example', undefined],
    ['https://shop.example@evil.example', undefined],
    ['evil.example/https://shop.example', undefined],
    ['javascript:alert(1)', undefined],
    ['//evil.example', undefined],
  ])('%j is %j', (input, expected) => {
    expect(resolveMailLinkBaseUrl(config, input)).toBe(expected);
  });
});

describe('the semaphore for expensive work', () => {
  it('limits running and waiting tasks, and rejects further ones at once', async () => {
    const semaphore = createBoundedWorkQueue({ maxRunning: 2, maxWaiting: 3, label: 'sign-ins' });
    let [running, most] = [0, 0];
    const release: (() => void)[] = [];
    const work = () =>
      semaphore(async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => release.push(resolve));
        running -= 1;
        return 'done';
      });
    const accepted = Array.from({ length: 5 }, work);
    await expect(work()).rejects.toMatchObject({ code: 'UNAVAILABLE', headers: { 'Retry-After': '1' } });
    while (running > 0) {
      release.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await Promise.all(accepted)).toEqual(Array(5).fill('done'));
    expect(most).toBe(2);
    await expect(semaphore(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await semaphore(async () => 'still open')).toBe('still open');
  });

  it('leaves places to other payers, and starts their work in turns', async () => {
    const semaphore = createBoundedWorkQueue({
      maxRunning: 2,
      maxRunningPerPayer: 1,
      maxWaiting: 4,
      label: 'sign-ins',
    });
    const started: string[] = [];
    const release: (() => void)[] = [];
    const work = (payer: string) =>
      semaphore(async () => {
        started.push(payer);
        await new Promise<void>((resolve) => release.push(resolve));
      }, payer);
    const accepted = ['flood', 'flood', 'flood'].map(work);
    await expect(work('flood')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(started).toEqual(['flood']);
    accepted.push(...['other', 'other', 'buyer'].map(work));
    expect(started).toEqual(['flood', 'other']);
    release[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toEqual(['flood', 'other', 'flood']);
    release[1]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(started[3]).toBeOneOf(['other', 'buyer']);
    for (let n = 0; n < accepted.length; n += 1) {
      for (const end of release.splice(0)) end();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(accepted);
    expect(started).toHaveLength(6);
  });
});
