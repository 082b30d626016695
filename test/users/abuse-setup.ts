/** Shared setup of the abuse tests: one app, a movable clock, and account requests. */
import { afterEach, beforeAll, vi } from 'vitest';
import { type AuthResponse, latestMailToken } from '../support/accounts.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';

export let t: TestApp;
beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off', PUBLIC_URL: 'http://duet.test' });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Moves the clock forward. */
export const later = (seconds: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });

export interface ErrorBody {
  error: string;
  details: { field: string; error: string }[];
}

export const confirm = (token: string) => t.rest<ErrorBody>('PUT', '/v1/users/confirm', { body: { token } });
export const reset = (token: string, password = 'brand new otter song') =>
  t.rest<ErrorBody>('POST', '/v1/users/reset-forgot-password', { body: { token, password } });
export const forgot = async (email: string) => {
  await t.rest('POST', '/v1/users/forgot-password', { body: { email } });
  return latestMailToken(t, email);
};
export const me = (as: Person) => t.rest<Record<string, unknown>>('GET', '/v1/users/me', { as });
export const refresh = (refreshToken: string) =>
  t.rest<AuthResponse>('POST', '/v1/users/refresh', { body: { refreshToken } });

export const invalidToken = { status: 422, body: { details: [{ field: 'token', error: 'INVALID_TOKEN' }] } };
