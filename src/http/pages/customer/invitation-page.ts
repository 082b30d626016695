/** Page behind the link of an invitation mail: accept with the account of the address, or create that account first. */
import type { Services } from '../../../context.ts';
import { loadShopBrand } from '../../../domains/branding/find-and-update-branding.ts';
import type { ShopBrand } from '../../../domains/branding/model.ts';
import { findInvitationByToken } from '../../../domains/invitations/accept-invitation.ts';
import type { Invitation } from '../../../domains/invitations/model.ts';
import { findUserIdByConfirmedEmail } from '../../../domains/users/people/user-lookups-for-other-domains.ts';
import { findOnServers } from '../../../find-on-servers.ts';
import { safeHtml } from '../html-template-and-page-frame.ts';
import type { HttpPageHandler } from '../http-page.ts';
import { renderApiRequestForm } from './api-request-form.ts';
import { renderCardPage } from './customer-page-layout.ts';

/** Only the owner of the address has the token, so the page may show whether the address has an account. */
export const createInvitationPage = (services: Services): [string, HttpPageHandler] => [
  '/account/invitation',
  async ({ query }) => {
    const token = new URLSearchParams(query).get('token') ?? '';
    const found = await findOnServers(services, ({ db }) => findInvitationByToken(db, token));
    if (!found) return renderDeadInvitation();
    const invitation = found.result;
    const brand = await loadShopBrand(services, found.services.db, invitation.businessId);
    const hasAccount = (await findUserIdByConfirmedEmail(services.db, invitation.email)) !== undefined;
    return hasAccount ? renderAcceptForm(invitation, brand) : renderRegisterForm(invitation, brand);
  },
];

const renderSubject = ({ email, role }: Invitation, { name }: ShopBrand) =>
  safeHtml`<p><strong>${name}</strong> invites <strong>${email}</strong> with the role <strong>${role.name}</strong>.</p>
<input id="email" type="hidden" autocomplete="username" value="${email}">`;

const renderAcceptForm = (invitation: Invitation, brand: ShopBrand) =>
  renderApiRequestForm('Accept the invitation', {
    fields: safeHtml`${renderSubject(invitation, brand)}
<p>Enter the password of your account. If it has none, <a href="/account">request one</a>.</p>
<label>Password <input id="password" type="password" autocomplete="current-password" required></label>`,
    brand,
    button: 'Accept',
    call: `callSignedIn(email.value, password.value, 'POST', '/v1/invitations/accept', { token })`,
    done: `You are a member of ${brand.name} now. Sign in to begin.`,
    next: { href: '/account', label: 'Go to your account' },
  });

const renderRegisterForm = (invitation: Invitation, brand: ShopBrand) =>
  renderApiRequestForm('Create an account to accept the invitation', {
    fields: safeHtml`${renderSubject(invitation, brand)}
<p>First create an account for this address. If you have registered already, confirm the address with the mail that you received, then open this link again.</p>
<label>New password, at least 10 characters
<input id="password" type="password" autocomplete="new-password" required minlength="10"></label>`,
    brand,
    button: 'Create account',
    call: `call('POST', '/v1/users/register', { email: email.value, password: password.value })`,
    done: 'Confirm {email} with the mail that we have sent you. Then open the link of the invitation again to accept it.',
  });

const renderDeadInvitation = () =>
  renderCardPage(
    'This invitation does not work',
    safeHtml`<p class="alert" role="alert">It was accepted already, was withdrawn, has expired, or is invalid.</p><p>Ask the business for a new one.</p>`,
    { status: 404 },
  );
