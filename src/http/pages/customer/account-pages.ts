/** Account pages: overview, and those of mail links without a frontend URL: confirm the email address, set a new password, sign out everywhere. */
import type { OneTimeTokenPurpose } from '../../../auth/sign-and-verify-tokens.ts';
import {
  findConfirmedEmailOfToken,
  findEmailOfOneTimeToken,
} from '../../../domains/users/account/one-time-tokens.ts';
import type { HttpResponse } from '../../../http-message.ts';
import { safeHtml } from '../html-template-and-page-frame.ts';
import type { HttpPageHandler } from '../http-page.ts';
import { createAccountOverviewPage } from './account-overview-page.ts';
import { renderApiRequestForm } from './api-request-form.ts';
import { renderCardPage } from './customer-page-layout.ts';

type LinkServices = Parameters<typeof findEmailOfOneTimeToken>[0];

/**
 * A GET request changes nothing, because mail scanners open links too. The page shows the email address: the link was
 * sent only to that address.
 */
export const createAccountPages = (services: LinkServices): [string, HttpPageHandler][] => [
  createAccountOverviewPage(),
  [
    '/account/confirm',
    accountPage(
      services,
      'CONFIRM',
      (email) =>
        renderApiRequestForm('Confirm your email address', {
          fields: safeHtml`<p>One click, and you can sign in as <strong>${email}</strong>.</p>`,
          button: 'Confirm email address',
          call: `call('PUT', '/v1/users/confirm', { token })`,
          done: `${email} is confirmed. You can sign in now.`,
          next: signInLink,
        }),
      async (token) => {
        const email = await findConfirmedEmailOfToken(services, token);
        return email === undefined ? renderDeadConfirmation() : renderAlreadyConfirmed(email);
      },
    ),
  ],
  [
    '/account/reset-password',
    accountPage(
      services,
      'RESET',
      (email) =>
        renderApiRequestForm('Choose a new password', {
          fields: safeHtml`<p>For the account of <strong>${email}</strong>.</p>
<input type="hidden" autocomplete="username" value="${email}">
<label>New password, at least 10 characters
<input id="password" type="password" autocomplete="new-password" required minlength="10"></label>`,
          button: 'Set password',
          call: `call('POST', '/v1/users/reset-forgot-password', { token, password: password.value })`,
          done: `The new password of ${email} is set. You can sign in with it now.`,
          next: signInLink,
        }),
      async () => renderDeadReset(),
    ),
  ],
  [
    '/account/security',
    () =>
      renderApiRequestForm('Account security', {
        fields: safeHtml`<p>Sign out on every device: anyone who uses your account must then sign in again. If someone else may have your password, <a href="/account">request a new one</a>.</p>
<label>Email address <input id="email" type="email" autocomplete="username" required></label>
<label>Password <input id="password" type="password" autocomplete="current-password" required></label>`,
        button: 'Sign out everywhere',
        call: 'signOutEverywhere(email.value, password.value)',
        done: 'Every device of {email} is signed out.',
        next: signInLink,
      }),
  ],
];

const accountPage =
  (
    services: LinkServices,
    purpose: OneTimeTokenPurpose,
    render: (email: string) => HttpResponse,
    renderDead: (token: string) => Promise<HttpResponse>,
  ): HttpPageHandler =>
  async ({ query }) => {
    const token = new URLSearchParams(query).get('token') ?? '';
    const email = await findEmailOfOneTimeToken(services, purpose, token);
    return email === undefined ? renderDead(token) : render(email);
  };

const signInLink = { href: '/account', label: 'Go to your account' };

const renderAlreadyConfirmed = (email: string) =>
  renderCardPage(
    'Your address is confirmed already',
    safeHtml`<p role="status"><strong>${email}</strong> was confirmed before. You can sign in.</p><p><a class="button" href="${signInLink.href}">${signInLink.label}</a></p>`,
  );

const deadLinkTitle = 'This link does not work';

/** Asks for the address again: the link may be of any age, and its token reveals no account. */
const deadLinkFields = safeHtml`<p class="alert">It was used already, has expired, or is invalid.</p>
<label>Email address <input id="email" type="email" autocomplete="username" required></label>`;

const renderDeadConfirmation = () =>
  renderApiRequestForm(deadLinkTitle, {
    fields: deadLinkFields,
    button: 'Send a new link',
    call: `call('POST', '/v1/users/resend-confirmation', { email: email.value })`,
    done: 'If {email} is still to be confirmed, a new link is on its way.',
    next: signInLink,
    status: 404,
  });

const renderDeadReset = () =>
  renderApiRequestForm(deadLinkTitle, {
    fields: deadLinkFields,
    button: 'Send a new link',
    call: `call('POST', '/v1/users/forgot-password', { email: email.value })`,
    done: 'If {email} has an account, a new link is on its way.',
    next: signInLink,
    status: 404,
  });
