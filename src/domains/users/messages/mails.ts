/** The mails about accounts. They contain no text that the person who caused them chose, so nobody can use them to send a message. */
import type { Config } from '../../../config.ts';
import { escapeHtml } from '../../../lib/text/escape-text.ts';
import type { MailMessage } from '../../../ports/mail.ts';

interface Letter {
  subject: string;
  paragraphs: readonly string[];
  button: { label: string; link: string };
  footer: string;
}

export const buildConfirmEmailMail = (to: string, link: string): MailMessage =>
  write(to, {
    subject: 'Confirm your email address',
    paragraphs: [
      'An account was created with this email address.',
      'Confirm within one hour that the address is yours, and you can sign in.',
    ],
    button: { label: 'Confirm email address', link },
    footer:
      'If you did not create an account, ignore this mail: without your confirmation nobody can use it.',
  });

export const buildPasswordResetMail = (to: string, link: string): MailMessage =>
  write(to, {
    subject: 'Choose a new password',
    paragraphs: [
      'Somebody asked for a new password for your account.',
      'The link works once, within one hour. All devices are signed out when you use it.',
    ],
    button: { label: 'Choose a new password', link },
    footer: 'If that was not you, ignore this mail: your password stays as it is.',
  });

/** What all mails about something that has happened say at their end. */
const notice = (config: Pick<Config, 'publicUrl'>, to: string, subject: string, ...paragraphs: string[]) =>
  write(to, {
    subject,
    paragraphs,
    button: { label: 'This was not me', link: `${config.publicUrl}/account/security` },
    footer: 'If this was you, there is nothing to do.',
  });

export const buildNewPlaceMail = (
  config: Pick<Config, 'publicUrl'>,
  to: string,
  address: string,
): MailMessage =>
  notice(
    config,
    to,
    'A sign-in from a new place',
    `Somebody signed in to your account from the network address ${address}, which is new to us.`,
  );

export const buildPasswordChangedMail = (config: Pick<Config, 'publicUrl'>, to: string): MailMessage =>
  notice(
    config,
    to,
    'Your password was changed',
    'The password of your account was changed, and other devices were signed out.',
  );

export const buildNewApiKeyMail = (config: Pick<Config, 'publicUrl'>, to: string): MailMessage =>
  notice(
    config,
    to,
    'A new API key',
    'An API key was added to your account. Programs that know it can act in your name.',
  );

/** Names of businesses and roles are chosen by others, and therefore not told here. */
export const buildRoleAssignedMail = (config: Pick<Config, 'publicUrl'>, to: string): MailMessage =>
  write(to, {
    subject: 'You were given a role',
    paragraphs: [
      'You were given a role in a business. Your account shows which one.',
      'You can leave the business at any time.',
    ],
    button: { label: 'Look after your account', link: `${config.publicUrl}/account/security` },
    footer: 'Nobody sees more of your account by this than your name and how to reach you.',
  });

function write(to: string, { subject, paragraphs, button, footer }: Letter): MailMessage {
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
