/** Account page: sign-in with email and password, then orders, addresses and sessions of the account. */
import { safeHtml } from '../html-template-and-page-frame.ts';
import type { HttpPageHandler } from '../http-page.ts';
import { accountOverviewScript } from './account-overview-script.ts';
import { renderCustomerPage } from './customer-page-layout.ts';

const content = safeHtml`<div class="one"><section class="card" id="entrance"><h1>Your account</h1>
<p class="alert" role="alert"></p><p class="good" role="status"></p>
<form id="sign-in"><label>Email address <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button class="main">Sign in</button></form>
<details class="more"><summary>No account yet?</summary><form id="register"><label>Your name <input name="name" autocomplete="name" required></label><label>Email address <input name="email" type="email" autocomplete="username" required></label><label>Choose a password <input name="password" type="password" autocomplete="new-password" required></label><button>Create an account</button></form></details>
<details class="more"><summary>Forgot your password?</summary><form id="forgot"><label>Email address <input name="email" type="email" autocomplete="username" required></label><button>Send a link</button></form></details>
<details class="more"><summary>No mail to confirm your address?</summary><form id="resend"><label>Email address <input name="email" type="email" autocomplete="username" required></label><button>Send it again</button></form></details>
<noscript><p>This page needs JavaScript.</p></noscript></section>
<div id="overview" hidden><section class="card"><h1>Your account</h1><p id="who"></p><p class="alert" role="alert"></p><p class="good" role="status"></p><p class="buttons"><button id="sign-out">Sign out</button></p></section>
<section class="card" aria-labelledby="orders-title"><h2 id="orders-title">Orders</h2><ul class="list" id="orders"></ul><button id="more-orders" hidden>Show more orders</button><p class="buttons"><button id="claim-orders">Add orders placed without this account</button></p></section>
<section class="card" aria-labelledby="addresses-title"><h2 id="addresses-title">Addresses</h2><ul class="list" id="addresses"></ul></section>
<section class="card" aria-labelledby="sessions-title"><h2 id="sessions-title">Where you are signed in</h2><ul class="list" id="sessions"></ul><p class="buttons"><button id="sign-out-everywhere">Sign out everywhere</button></p></section></div></div>`;

export const createAccountOverviewPage = (): [string, HttpPageHandler] => [
  '/account',
  () => renderCustomerPage('Your account', content, { script: accountOverviewScript }),
];
