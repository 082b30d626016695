/** Redirect URLs of payments: normalised, on allowed origins, with the id of what is paid for. */
import { expect, it } from 'vitest';
import { addSubjectToReturnUrls, resolvePaymentReturnUrls } from '../../src/domains/payments/return-urls.ts';

const config = { publicUrl: 'https://pay.example', allowedOrigins: ['https://shop.example'] };

it.each([
  [undefined, 'https://pay.example/checkout/thanks?orderId=7'],
  ['https://shop.example', 'https://shop.example/?orderId=7'],
  ['https://SHOP.example/a b', 'https://shop.example/a%20b?orderId=7'],
  ['https://shop.example/done?', 'https://shop.example/done?orderId=7'],
  ['https://shop.example/done?from=cart', 'https://shop.example/done?from=cart&orderId=7'],
  ['https://shop.example/done?orderId=1', 'https://shop.example/done?orderId=7'],
  ['https://shop.example/done#top', 'https://shop.example/done?orderId=7#top'],
])('the return URL %s becomes %s', (returnUrl, expected) => {
  const urls = addSubjectToReturnUrls(resolvePaymentReturnUrls(config, { returnUrl }), 'orderId', '7');
  expect(urls).toEqual({
    returnUrl: expected,
    cancelUrl: 'https://pay.example/checkout/cancelled?orderId=7',
  });
});
