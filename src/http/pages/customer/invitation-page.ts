/** Page behind the link of an invitation mail: accept with the account of the address, or create that account first. */
import type { Db } from '../../../db/handles.ts';
import { loadBusinessName } from '../../../domains/businesses/businesses.ts';
import { findInvitationByToken } from '../../../domains/invitations/accept-invitation.ts';
import type { Invitation } from '../../../domains/invitations/model.ts';
import { findUserIdByConfirmedEmail } from '../../../domains/users/people/business-people.ts';
import { safeHtml } from '../html.ts';
import type { HttpPage } from '../http-page.ts';
import { renderAccountForm } from './account-form.ts';
import { renderCardPage } from './layout.ts';

/** Only the owner of the address has the token, so the page may show whether the address has an account. */
export const createInvitationPage = (db: Db): [string, HttpPage] => [
  '/account/invitation',
  async ({ query }) => {
    const invitation = await findInvitationByToken(db, new URLSearchParams(query).get('token') ?? '');
    if (!invitation) return renderDeadInvitation();
    const businessName = await loadBusinessName(db, invitation.businessId);
    const hasAccount = (await findUserIdByConfirmedEmail(db, invitation.email)) !== undefined;
    return hasAccount
      ? renderAcceptForm(invitation, businessName)
      : renderRegisterForm(invitation, businessName);
  },
];

const renderSubject = ({ email, role }: Invitation, businessName: string) =>
  safeHtml`<p><strong>${businessName}</strong> invites <strong>${email}</strong> with the role <strong>${role.name}</strong>.</p>
<input id="email" type="hidden" autocomplete="username" value="${email}">`;

const renderAcceptForm = (invitation: Invitation, businessName: string) =>
  renderAccountForm('Accept the invitation', {
    fields: safeHtml`${renderSubject(invitation, businessName)}
<p>Enter the password of your account. If it has none, request one on the sign-in page.</p>
<label>Password <input id="password" type="password" autocomplete="current-password" required></label>`,
    button: 'Accept',
    call: `callSignedIn(email.value, password.value, 'POST', '/v1/invitations/accept', { token })`,
    done: `You are a member of ${businessName} now. Sign in to begin.`,
  });

const renderRegisterForm = (invitation: Invitation, businessName: string) =>
  renderAccountForm('Create an account to accept the invitation', {
    fields: safeHtml`${renderSubject(invitation, businessName)}
<p>First create an account for this address. If you have registered already, confirm the address with the mail that you received, then open this link again.</p>
<label>New password, at least 10 characters
<input id="password" type="password" autocomplete="new-password" required minlength="10"></label>`,
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
