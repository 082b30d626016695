/** User accounts created through the API: registered, confirmed and signed in. */
import { newId } from '../../src/lib/ids.ts';
import type { Person, TestApp } from './app.ts';

export const validPassword = 'mauve otter climbs slowly';

export interface Account extends Person {
  email: string;
  password: string;
  refreshToken: string;
}

export const uniqueEmail = () => `${newId()}@people.example`;

/** Token of the newest mailed link to an address, other than links to orders. */
export async function latestMailToken(t: TestApp, email: string): Promise<string> {
  const mails = await t.outbox(email);
  const links = mails.flatMap(
    ({ text }) => /https?:\/\/\S+\/(?!view\?)[\w-]+\?token=\S+/.exec(text)?.[0] ?? [],
  );
  const link = links.at(-1);
  const token = link && new URL(link).searchParams.get('token');
  if (!token) throw new Error(`No link was mailed to ${email}.`);
  return token;
}

export async function registerAccount(
  t: TestApp,
  email = uniqueEmail(),
  password = validPassword,
): Promise<string> {
  const response = await t.rest('POST', '/v1/users/register', { body: { email, password } });
  if (response.status !== 200) throw new Error(JSON.stringify(response.body));
  return email;
}

export async function registerConfirmedAccount(
  t: TestApp,
  email = uniqueEmail(),
  password = validPassword,
): Promise<string> {
  await registerAccount(t, email, password);
  await t.rest('PUT', '/v1/users/confirm', { body: { token: await latestMailToken(t, email) } });
  return email;
}

/** Body of a successful sign-in. */
export interface AuthResponse {
  userId: string;
  provider: string;
  accessToken: string;
  refreshToken: string;
  tokenType: string;
  expiresAt: number;
  scope: string;
  isGuest: boolean;
}

export async function signIn(t: TestApp, email: string, password = validPassword): Promise<Account> {
  const { body, status } = await t.rest<AuthResponse>('POST', '/v1/users/login', {
    body: { provider: 'EMAIL', email, password },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { userId: body.userId, token: body.accessToken, refreshToken: body.refreshToken, email, password };
}

/** Creates a confirmed account and signs in. */
export const createAccount = async (t: TestApp): Promise<Account> =>
  signIn(t, await registerConfirmedAccount(t));
