/** Where links in mails lead when no frontend of your own takes them: confirm an address, choose a new password, sign out everywhere. */
import type { OneTimeTokenPurpose } from '../../../auth/tokens.ts';
import { findTokenAccountEmail } from '../../../domains/users/account/one-time-tokens.ts';
import { markup } from '../html.ts';
import type { HttpPage } from '../http-page.ts';
import { renderAccountForm } from './account-form.ts';
import { renderCardPage } from './layout.ts';

type Linked = Parameters<typeof findTokenAccountEmail>[0];

/** Opening a link changes nothing: programs that look into mails open links too. It names the account: whoever has it got it there. */
export const accountPages = (parts: Linked): [string, HttpPage][] => [
  [
    '/account/confirm',
    ofAccount(parts, 'CONFIRM', (email) =>
      renderAccountForm('Confirm your email address', {
        fields: markup`<p>One click, and you can sign in as <strong>${email}</strong>.</p>`,
        button: 'Confirm email address',
        call: `call('PUT', '/v1/users/confirm', { token })`,
        done: `${email} is confirmed. You can sign in now.`,
      }),
    ),
  ],
  [
    '/account/reset-password',
    ofAccount(parts, 'RESET', (email) =>
      renderAccountForm('Choose a new password', {
        fields: markup`<p>For the account of <strong>${email}</strong>.</p>
<input type="hidden" autocomplete="username" value="${email}">
<label>New password, at least 10 characters
<input id="password" type="password" autocomplete="new-password" required minlength="10"></label>`,
        button: 'Set password',
        call: `call('POST', '/v1/users/reset-forgot-password', { token, password: password.value })`,
        done: `The new password of ${email} is set. You can sign in with it now.`,
      }),
    ),
  ],
  [
    '/account/security',
    () =>
      renderAccountForm('Look after your account', {
        fields: markup`<p>Sign out everywhere: whoever uses your account now has to sign in again. If somebody may know your password, ask for a new one where you sign in.</p>
<label>Email address <input id="email" type="email" autocomplete="username" required></label>
<label>Password <input id="password" type="password" autocomplete="current-password" required></label>`,
        button: 'Sign out everywhere',
        call: 'signOutEverywhere(email.value, password.value)',
        done: 'Every device of {email} is signed out.',
      }),
  ],
];

const ofAccount =
  (
    parts: Linked,
    purpose: OneTimeTokenPurpose,
    draw: (email: string) => ReturnType<typeof renderCardPage>,
  ): HttpPage =>
  async ({ query }) => {
    const token = new URLSearchParams(query).get('token') ?? '';
    const email = await findTokenAccountEmail(parts, purpose, token);
    return email === undefined ? deadLink() : draw(email);
  };

const deadLink = () =>
  renderCardPage(
    'This link does not work',
    markup`<p class="alert" role="alert">It was used already, has expired, or is not one of ours.</p><p>Ask for a new one where you sign in.</p>`,
    { status: 404 },
  );
