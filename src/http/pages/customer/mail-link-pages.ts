/** What the pages behind the links of newsletters say. They name newsletter and address: whoever has the link got it there. */
import type { MailTokenSubject } from '../../../domains/newsletter/mail/mail-token-subject.ts';
import type { HttpResponse } from '../../../http-message.ts';
import { type Html, markup } from '../html.ts';
import { renderCardPage } from './layout.ts';

export interface MailLinkSubject extends MailTokenSubject {
  businessId: string;
  token: string;
}

export interface MailLink {
  name: string;
  /** As in rows of the REST table. */
  path: `/v1/businesses/:businessId/${string}`;
  /** What its tokens were signed for. */
  purpose: 'unsubscribe' | 'confirm';
  /** The page that asks. */
  renderConfirmation(about: MailLinkSubject): HttpResponse;
  /** The page after the form has come. Of what is gone with its newsletter nothing is known. */
  renderResult(about: MailLinkSubject | undefined): HttpResponse;
}

const words = (about: MailLinkSubject | undefined, title: string, body: Html): HttpResponse =>
  renderCardPage(title, body, { businessName: about?.businessName });

/** `to` is the address it goes to; the one of the page when absent. */
const form = ({ token }: MailLinkSubject, label: string, to?: string) =>
  markup`<form method="post"${to !== undefined && markup` action="${to}"`}><input type="hidden" name="token" value="${token}"><button class="main">${label}</button></form>`;

const who = ({ newsletterName: letter, email }: MailLinkSubject) =>
  markup`<strong>${letter}</strong> to <strong>${email}</strong>`;

export const renderBrokenLinkPage = (status: number): HttpResponse =>
  renderCardPage(
    'This link does not work',
    markup`<p role="alert">Use the link in the most recent mail.</p>`,
    {
      status,
    },
  );

const unsubscribeLink: MailLink = {
  name: 'unsubscribe',
  path: '/v1/businesses/:businessId/collections/unsubscribe',
  purpose: 'unsubscribe',
  renderConfirmation: (about) =>
    words(
      about,
      'Unsubscribe?',
      markup`<p>We will no longer send ${who(about)}.</p>${form(about, 'Unsubscribe')}`,
    ),
  renderResult: (about) =>
    words(
      about,
      'You are unsubscribed',
      about
        ? markup`<p role="status">We send no more ${who(about)}.</p>${form(about, 'Undo', `/v1/businesses/${about.businessId}/subscriptions/resubscribe`)}`
        : markup`<p role="status">We send no more of this newsletter.</p>`,
    ),
};

const confirmLink: MailLink = {
  name: 'confirm subscription',
  path: '/v1/businesses/:businessId/subscriptions/confirm',
  purpose: 'confirm',
  renderConfirmation: (about) =>
    words(
      about,
      'Confirm your subscription',
      markup`<p>One click, and we send ${who(about)}.</p>${form(about, 'Confirm')}`,
    ),
  renderResult: (about) =>
    about?.status === 'ACTIVE'
      ? words(about, 'You are subscribed', markup`<p role="status">We send ${who(about)} from now on.</p>`)
      : words(
          about,
          'You are not subscribed',
          markup`<p role="status">You left in the meantime, or the plan you chose is to be paid first. Subscribe again to get it.</p>`,
        ),
};

/** The way back from the page that says goodbye. */
const resubscribeLink: MailLink = {
  name: 'resubscribe',
  path: '/v1/businesses/:businessId/subscriptions/resubscribe',
  purpose: 'unsubscribe',
  renderConfirmation: (about) =>
    words(
      about,
      'Subscribe again?',
      markup`<p>We will send ${who(about)} again.</p>${form(about, 'Subscribe again')}`,
    ),
  renderResult: (about) =>
    about?.status === 'ACTIVE'
      ? words(about, 'You are subscribed', markup`<p role="status">We send ${who(about)} as before.</p>`)
      : renderBrokenLinkPage(422),
};

export const mailLinks: readonly MailLink[] = [unsubscribeLink, resubscribeLink, confirmLink];
