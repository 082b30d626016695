/** Pages that links in mails open. Opening a page changes nothing; its button does. */
import { mailLinkOrigin, run } from '../gateway.ts';
import { ConfirmEmailDocument, ForgotPasswordDocument, NewPasswordDocument } from '../generated/graphql';
import { type Child, h, link } from '../lib/dom.ts';
import { field, form } from '../lib/form.ts';
import type { Page, View } from '../lib/router.ts';

const page = (title: string, ...body: Child[]): View => ({
  title,
  body: h(
    'section',
    { class: 'panel narrow' },
    h('h1', {}, title),
    body,
    h('p', {}, link('/sign-in', 'Sign in')),
  ),
});

const tokenIn = (url: URL) => url.searchParams.get('token') ?? '';

export const confirm: Page = ({ url }) =>
  page(
    'Confirm your email address',
    form({
      label: 'Confirm',
      submit: 'Confirm email address',
      fields: null,
      async send() {
        await run(ConfirmEmailDocument, { token: tokenIn(url) });
        return 'Thank you. You can sign in now.';
      },
    }),
  );

export const forgotPassword: Page = () =>
  page(
    'Forgot your password?',
    form({
      label: 'Forgot password',
      submit: 'Send me a link',
      fields: field({ name: 'email', label: 'Email', type: 'email', autocomplete: 'username' }),
      async send({ email = '' }) {
        await run(ForgotPasswordDocument, { input: { email, reserveDomain: mailLinkOrigin } });
        return `If ${email} has an account, a link is on its way to it.`;
      },
    }),
  );

export const resetPassword: Page = ({ url }) =>
  page(
    'Set a new password',
    form({
      label: 'New password',
      submit: 'Set password',
      fields: field({
        name: 'password',
        label: 'New password',
        type: 'password',
        autocomplete: 'new-password',
      }),
      async send({ password = '' }) {
        await run(NewPasswordDocument, { input: { token: tokenIn(url), password } });
        return 'Your password is set. You can sign in now.';
      },
    }),
  );
