/** Account pages for mail links without a frontend URL: confirm the email address, set a new password, sign out everywhere. */
import type { OneTimeTokenPurpose } from '../../../auth/tokens.ts';
import { findEmailOfOneTimeToken } from '../../../domains/users/account/one-time-tokens.ts';
import { safeHtml } from '../html.ts';
import type { HttpPage } from '../http-page.ts';
import { renderAccountForm } from './account-form.ts';
import { renderCardPage } from './layout.ts';

type LinkServices = Parameters<typeof findEmailOfOneTimeToken>[0];

/**
 * A GET request changes nothing, because mail scanners open links too. The page shows the email address: the link was
 * sent only to that address.
 */
export const createAccountPages = (services: LinkServices): [string, HttpPage][] => [
  [
    '/account/confirm',
    accountPage(services, 'CONFIRM', (email) =>
      renderAccountForm('Confirm your email address', {
        fields: safeHtml`<p>One click, and you can sign in as <strong>${email}</strong>.</p>`,
        button: 'Confirm email address',
        call: `call('PUT', '/v1/users/confirm', { token })`,
        done: `${email} is confirmed. You can sign in now.`,
      }),
    ),
  ],
  [
    '/account/reset-password',
    accountPage(services, 'RESET', (email) =>
      renderAccountForm('Choose a new password', {
        fields: safeHtml`<p>For the account of <strong>${email}</strong>.</p>
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
      renderAccountForm('Account security', {
        fields: safeHtml`<p>Sign out on every device: anyone who uses your account must then sign in again. If someone else may have your password, request a new one on the sign-in page.</p>
<label>Email address <input id="email" type="email" autocomplete="username" required></label>
<label>Password <input id="password" type="password" autocomplete="current-password" required></label>`,
        button: 'Sign out everywhere',
        call: 'signOutEverywhere(email.value, password.value)',
        done: 'Every device of {email} is signed out.',
      }),
  ],
];

const accountPage =
  (
    services: LinkServices,
    purpose: OneTimeTokenPurpose,
    render: (email: string) => ReturnType<typeof renderCardPage>,
  ): HttpPage =>
  async ({ query }) => {
    const token = new URLSearchParams(query).get('token') ?? '';
    const email = await findEmailOfOneTimeToken(services, purpose, token);
    return email === undefined ? renderDeadLink() : render(email);
  };

const renderDeadLink = () =>
  renderCardPage(
    'This link does not work',
    safeHtml`<p class="alert" role="alert">It was used already, has expired, or is invalid.</p><p>Request a new one on the sign-in page.</p>`,
    { status: 404 },
  );
