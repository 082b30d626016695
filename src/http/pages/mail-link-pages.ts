/** What the pages behind the links of newsletters say. They name newsletter and address: whoever has the link got it there. */
import type { Mailed } from '../../domains/newsletter/mailed.ts';
import type { HttpResponse } from '../../message.ts';
import { type Html, markup } from './html.ts';
import { cardPage } from './layout.ts';

export interface About extends Mailed {
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
  ask(about: About): HttpResponse;
  /** The page after the form has come. Of what is gone with its newsletter nothing is known. */
  done(about: About | undefined): HttpResponse;
}

const words = (about: About | undefined, title: string, body: Html): HttpResponse =>
  cardPage(title, body, { from: about?.business });

/** `to` is the address it goes to; the one of the page when absent. */
const form = ({ token }: About, label: string, to?: string) =>
  markup`<form method="post"${to !== undefined && markup` action="${to}"`}><input type="hidden" name="token" value="${token}"><button class="main">${label}</button></form>`;

const who = ({ letter, email }: About) => markup`<strong>${letter}</strong> to <strong>${email}</strong>`;

export const notWorking = (status: number): HttpResponse =>
  cardPage('This link does not work', markup`<p role="alert">Use the link in the most recent mail.</p>`, {
    status,
  });

const unsubscribeLink: MailLink = {
  name: 'unsubscribe',
  path: '/v1/businesses/:businessId/collections/unsubscribe',
  purpose: 'unsubscribe',
  ask: (about) =>
    words(
      about,
      'Unsubscribe?',
      markup`<p>We will no longer send ${who(about)}.</p>${form(about, 'Unsubscribe')}`,
    ),
  done: (about) =>
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
  ask: (about) =>
    words(
      about,
      'Confirm your subscription',
      markup`<p>One click, and we send ${who(about)}.</p>${form(about, 'Confirm')}`,
    ),
  done: (about) =>
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
  ask: (about) =>
    words(
      about,
      'Subscribe again?',
      markup`<p>We will send ${who(about)} again.</p>${form(about, 'Subscribe again')}`,
    ),
  done: (about) =>
    about?.status === 'ACTIVE'
      ? words(about, 'You are subscribed', markup`<p role="status">We send ${who(about)} as before.</p>`)
      : notWorking(422),
};

export const links: readonly MailLink[] = [unsubscribeLink, resubscribeLink, confirmLink];
