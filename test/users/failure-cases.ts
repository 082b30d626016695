/** Table-driven tests of error responses: request builders, expected errors, and the test of each case. */
import { beforeAll, expect, it } from 'vitest';
import {
  createAccount,
  registerAccount,
  registerConfirmedAccount,
  uniqueEmail,
  validPassword,
} from '../support/accounts.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';

export let t: TestApp;
let person: Person;
export let existingEmail: string;
export let unconfirmedEmail: string;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off', PUBLIC_URL: 'http://duet.test' });
  person = await createAccount(t);
  existingEmail = await registerConfirmedAccount(t);
  unconfirmedEmail = await registerAccount(t);
});

interface FailureCase {
  title: string;
  call: readonly [method: string, path: string, body?: () => object];
  anonymous?: boolean;
  status: number;
  error: string;
  details: readonly (readonly [field: string, error: string])[];
}

export const post = (path: string, body: () => object) => ['POST', `/v1/users/${path}`, body] as const;
export const put = (path: string, body: () => object) => ['PUT', `/v1/users/${path}`, body] as const;
export const get = (path: string) => ['GET', `/v1/users/${path}`] as const;
export const validInput = () => ({ email: uniqueEmail(), password: validPassword });
export const invalid = (...details: [string, string][]) => ({
  status: 422,
  error: 'VALIDATION_FAILED',
  details,
});
export const bad = (...details: [string, string][]) => ({ status: 400, error: 'BAD_REQUEST', details });
export const unauthenticated = { status: 401, error: 'UNAUTHENTICATED', details: [] };

export const url = (origin: string, redirect: string, provider = 'OAUTH_IDP') =>
  get(`login/url?${new URLSearchParams({ provider, originUrl: origin, redirectUrl: redirect })}`);

/** One test per case: status, code, details and messages. */
export const itRejects = (cases: FailureCase[]) =>
  it.each(cases)('$title: $status $error', async ({ call, anonymous, status, error, details }) => {
    const [method, path, body] = call;
    const answer = await t.rest<{
      error: string;
      details: { field: string; error: string; message: string }[];
    }>(method, path, { ...(anonymous ? {} : { as: person }), ...(body ? { body: body() } : {}) });
    expect({
      status: answer.status,
      error: answer.body.error,
      details: answer.body.details.map((detail) => [detail.field, detail.error]),
    }).toEqual({ status, error, details });
    expect(answer.body).toMatchObject({
      message: expect.any(String),
      validationErrors: details.map(([field, code]) => ({ field, error: code })),
    });
    for (const { message } of answer.body.details) expect(message).toMatch(/^[A-Z].*\.$/);
  });
