/** Mails about accounts. They contain no text that the sender of the request chose, so that they cannot be abused to send spam. */
import type { Config } from '../../../config.ts';
import { escapeHtml } from '../../../lib/text/escape-text.ts';
import type { MailMessage } from '../../../ports/mail.ts';

interface MailContent {
  subject: string;
  paragraphs: readonly string[];
  button: { label: string; link: string };
  footer: string;
}

export const buildConfirmEmailMail = (to: string, link: string): MailMessage =>
  composeMail(to, {
    subject: 'Confirm your email address',
    paragraphs: [
      'An account was created with this email address.',
      'Confirm within one hour that the address is yours, and you can sign in.',
    ],
    button: { label: 'Confirm email address', link },
    footer:
      'If you did not create an account, ignore this mail: without confirmation the account cannot be used.',
  });

export const buildPasswordResetMail = (to: string, link: string): MailMessage =>
  composeMail(to, {
    subject: 'Choose a new password',
    paragraphs: [
      'A new password was requested for your account.',
      'The link works once, within one hour. All devices are signed out when you use it.',
    ],
    button: { label: 'Choose a new password', link },
    footer: 'If that was not you, ignore this mail: your password stays as it is.',
  });

/** Security notice about a completed action, with a link to the account page. */
const securityNotice = (
  config: Pick<Config, 'publicUrl'>,
  to: string,
  subject: string,
  ...paragraphs: string[]
) =>
  composeMail(to, {
    subject,
    paragraphs,
    button: { label: 'This was not me', link: `${config.publicUrl}/account/security` },
    footer: 'If this was you, there is nothing to do.',
  });

export const buildNewSignInNetworkMail = (
  config: Pick<Config, 'publicUrl'>,
  to: string,
  address: string,
): MailMessage =>
  securityNotice(
    config,
    to,
    'Sign-in from a new location',
    `There was a sign-in to your account from the network address ${address}, which was not used recently.`,
  );

export const buildPasswordChangedMail = (config: Pick<Config, 'publicUrl'>, to: string): MailMessage =>
  securityNotice(
    config,
    to,
    'Your password was changed',
    'The password of your account was changed, and other devices were signed out.',
  );

export const buildNewApiKeyMail = (config: Pick<Config, 'publicUrl'>, to: string): MailMessage =>
  securityNotice(
    config,
    to,
    'A new API key',
    'An API key was added to your account. Programs with this key can act in your name.',
  );

/** Without the names of business and role: other users chose them. */
export const buildRoleAssignedMail = (config: Pick<Config, 'publicUrl'>, to: string): MailMessage =>
  composeMail(to, {
    subject: 'You were given a role',
    paragraphs: [
      'You were given a role in a business. Your account shows which one.',
      'You can leave the business at any time.',
    ],
    button: { label: 'Review your account', link: `${config.publicUrl}/account/security` },
    footer:
      'The role alone shows the business nothing about you: it sees your name and email address once you act there.',
  });

function composeMail(to: string, { subject, paragraphs, button, footer }: MailContent): MailMessage {
  const text = [...paragraphs, `${button.label}:\n${button.link}`, footer].join('\n\n');
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f4f5;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;color:#18181b">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(subject)}</h1>
${paragraphs.map((paragraph) => `<p style="margin:0 0 16px;font-size:16px;line-height:1.5">${escapeHtml(paragraph)}</p>`).join('\n')}
<p style="margin:24px 0"><a href="${escapeHtml(button.link)}" style="display:inline-block;padding:12px 20px;background:#18181b;color:#ffffff;border-radius:6px;font-size:16px;text-decoration:none">${escapeHtml(button.label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;line-height:1.5;color:#52525b">Or copy this address into your browser:<br><a href="${escapeHtml(button.link)}" style="color:#52525b;word-break:break-all">${escapeHtml(button.link)}</a></p>
<p style="margin:0;font-size:13px;line-height:1.5;color:#52525b">${escapeHtml(footer)}</p>
</div>
</body>
</html>
`;
  return { to, subject, html, text: `${text}\n` };
}
