/** Pages behind newsletter mail links. They show the newsletter and the email address: the link was sent only to that address. */
import type { MailTokenSubscription } from '../../../domains/newsletter/mail/find-subscription-of-mail-token.ts';
import type { HttpResponse } from '../../../http-message.ts';
import { type Html, safeHtml } from '../html-template-and-page-frame.ts';
import { renderCardPage, renderShopLink } from './customer-page-layout.ts';

export interface NewsletterLinkSubject extends MailTokenSubscription {
  businessId: string;
  token: string;
}

export interface NewsletterLink {
  name: string;
  /** Path as in the REST route table. */
  path: `/v1/businesses/:businessId/${string}`;
  /** Purpose that the token must be signed for. */
  purpose: 'unsubscribe' | 'confirm';
  /** Page with the confirmation button. */
  renderConfirmation(subject: NewsletterLinkSubject): HttpResponse;
  /** Page after the form was submitted. The subject is undefined when the newsletter has been deleted. */
  renderResult(subject: NewsletterLinkSubject | undefined): HttpResponse;
}

const linkPage = (subject: NewsletterLinkSubject | undefined, title: string, body: Html): HttpResponse =>
  renderCardPage(title, safeHtml`${body}${subject && renderShopLink(subject.brand)}`, {
    brand: subject?.brand,
  });

/** `action` defaults to the URL of the page. */
const form = ({ token }: NewsletterLinkSubject, label: string, action?: string) =>
  safeHtml`<form method="post"${action !== undefined && safeHtml` action="${action}"`}><input type="hidden" name="token" value="${token}"><button class="main">${label}</button></form>`;

const newsletterAndEmail = ({ newsletterName, email }: NewsletterLinkSubject) =>
  safeHtml`<strong>${newsletterName}</strong> to <strong>${email}</strong>`;

export const renderBrokenNewsletterLinkPage = (status: number): HttpResponse =>
  renderCardPage(
    'This link does not work',
    safeHtml`<p role="alert">Use the link in the most recent mail.</p>`,
    { status },
  );

const unsubscribeLink: NewsletterLink = {
  name: 'unsubscribe',
  path: '/v1/businesses/:businessId/collections/unsubscribe',
  purpose: 'unsubscribe',
  renderConfirmation: (subject) =>
    linkPage(
      subject,
      'Unsubscribe?',
      safeHtml`<p>We will no longer send ${newsletterAndEmail(subject)}.</p>${form(subject, 'Unsubscribe')}`,
    ),
  renderResult: (subject) =>
    linkPage(
      subject,
      'You are unsubscribed',
      subject
        ? safeHtml`<p role="status">We send no more ${newsletterAndEmail(subject)}.</p>${form(subject, 'Undo', `/v1/businesses/${subject.businessId}/subscriptions/resubscribe`)}`
        : safeHtml`<p role="status">We send no more of this newsletter.</p>`,
    ),
};

const confirmLink: NewsletterLink = {
  name: 'confirm subscription',
  path: '/v1/businesses/:businessId/subscriptions/confirm',
  purpose: 'confirm',
  renderConfirmation: (subject) =>
    linkPage(
      subject,
      'Confirm your subscription',
      safeHtml`<p>One click, and we send ${newsletterAndEmail(subject)}.</p>${form(subject, 'Confirm')}`,
    ),
  renderResult: (subject) =>
    subject?.status === 'ACTIVE'
      ? linkPage(
          subject,
          'You are subscribed',
          safeHtml`<p role="status">We send ${newsletterAndEmail(subject)} from now on.</p>`,
        )
      : linkPage(
          subject,
          'You are not subscribed',
          safeHtml`<p role="status">You have unsubscribed in the meantime, or your plan has not been paid yet. Subscribe again to receive it.</p>`,
        ),
};

/** Target of the Undo button on the unsubscribe page. */
const resubscribeLink: NewsletterLink = {
  name: 'resubscribe',
  path: '/v1/businesses/:businessId/subscriptions/resubscribe',
  purpose: 'unsubscribe',
  renderConfirmation: (subject) =>
    linkPage(
      subject,
      'Subscribe again?',
      safeHtml`<p>We will send ${newsletterAndEmail(subject)} again.</p>${form(subject, 'Subscribe again')}`,
    ),
  renderResult: (subject) =>
    subject?.status === 'ACTIVE'
      ? linkPage(
          subject,
          'You are subscribed',
          safeHtml`<p role="status">We send ${newsletterAndEmail(subject)} as before.</p>`,
        )
      : renderBrokenNewsletterLinkPage(422),
};

export const newsletterLinkPages: readonly NewsletterLink[] = [unsubscribeLink, resubscribeLink, confirmLink];
