/** The invitation mail. It contains text that the sender chose, such as the name of the business; that text cannot become a link. */
import { escapeHtml } from '../../lib/text/escape-text.ts';
import type { MailMessage } from '../../ports/mail.ts';
import { composeBrandedMail } from '../branding/compose-branded-mail.ts';
import type { ShopBrand } from '../branding/model.ts';

interface InvitationMailContent {
  link: string;
  brand: ShopBrand;
  /** Empty when the account has no name. */
  inviterName: string;
  roleName: string;
}

/** Without sender name, shop link and reply address: the recipient does not know the business yet. */
export function buildInvitationMail(
  to: string,
  { link, brand, inviterName, roleName }: InvitationMailContent,
): MailMessage {
  const business = toUnlinkedText(brand.name);
  const inviter = toUnlinkedText(inviterName) || 'An administrator';
  const paragraphs = [
    `${inviter} invites you to work for ${business} with the role ${toUnlinkedText(roleName)}.`,
    'The link works once, within seven days. You need an account with this email address; if you have none yet, you can create it there.',
  ];
  const { fromName: _fromName, ...mail } = composeBrandedMail(
    { ...brand, name: business, shopUrl: undefined, replyTo: undefined },
    {
      language: 'en',
      subject: `Invitation to ${business}`,
      html: `${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('')}<p><a href="${escapeHtml(link)}">View the invitation</a></p>`,
      footer: 'If you do not know the sender, ignore this mail: without your consent nothing happens.',
    },
  );
  return { to, ...mail };
}

/** Names are shortened, and characters that make mail programs show text as a link become spaces: `:`, `/`, `@`, and a dot before a letter. */
const toUnlinkedText = (name: string) =>
  [...name.replace(/[\p{C}\p{Zl}\p{Zp}:/\\@]+|[.\u3002\uff0e\uff61](?=\S)/gu, ' ')]
    .slice(0, 80)
    .join('')
    .trim();
