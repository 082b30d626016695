/** Currency exponents, formatted amounts, and amounts in Stripe's units. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  convertLinesToStripeAmounts,
  minorUnitsToStripe,
  stripeToMinorUnits,
} from '../../src/adapters/payments/convert-stripe-amounts.ts';
import { getCurrencyExponent } from '../../src/lib/commerce/currency-exponents.ts';
import { formatMoney } from '../../src/lib/commerce/format-money.ts';
import { smallestPayableStep, toPayableAmount } from '../../src/lib/commerce/round-to-payable-amount.ts';
import { currencySchema } from '../../src/lib/validation/input.ts';
import { PaymentRejectedError } from '../../src/ports/payments.ts';

/** ISO 4217, list one: the codes by their number of decimals. */
const iso: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU
    CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS
    KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB
    PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD
    TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};
const codes = Object.entries(iso).flatMap(([digits, list]) =>
  list.split(/\s+/).map((code) => [code, Number(digits)] as const),
);

it.each([
  ['usd', 'USD'],
  [' eur ', 'EUR'],
  ['\ufb01m', undefined],
  ['euro', undefined],
])('parses currency %j as %s', (input, code) => {
  expect(currencySchema.safeParse(input).data).toBe(code);
});

it('has the ISO 4217 exponent of every currency', () => {
  expect(codes.map(([code]) => [code, getCurrencyExponent(code)])).toEqual(codes);
});

it.each([
  [250_000, 'HUF', 'HUF\u00a02,500.00'],
  [250_000, 'IDR', 'IDR\u00a02,500.00'],
  [2500, 'JPY', '¥2,500'],
  [2500, 'ISK', 'ISK\u00a02,500'],
  [1234, 'KWD', 'KWD\u00a01.234'],
  [5, 'USD', '$0.05'],
  [-123_456, 'USD', '-$1,234.56'],
])('formats %d of %s as %s', (amount, currency, formatted) => {
  expect(formatMoney(amount, currency)).toBe(formatted);
});

it.each([
  ['USD', 1235, 1235],
  ['JPY', 7, 7],
  ['KWD', 1234, 1230],
  ['KWD', 1235, 1240],
  ['kwd', 1240, 1240],
  ['KWD', 4, 10],
  ['KWD', 0, 0],
  ['MGA', 1250, 1300],
  ['CLF', 12_345, 12_300],
])('in %s the payable amount of %d is %d', (currency, amount, payable) => {
  expect(toPayableAmount(amount, currency)).toBe(payable);
  expect(payable % smallestPayableStep(currency)).toBe(0);
});

describe('Stripe', () => {
  it.each([
    ['USD', 2500, 2500],
    ['HUF', 2500, 2500],
    ['JPY', 2500, 2500],
    ['ISK', 2500, 250_000],
    ['UGX', 2500, 250_000],
    ['MGA', 2500, 25],
    ['KWD', 2500, 2500],
  ])('converts %s %d to %d and back', (currency, amount, stripeAmount) => {
    expect([minorUnitsToStripe(amount, currency), stripeToMinorUnits(stripeAmount, currency)]).toEqual([
      stripeAmount,
      amount,
    ]);
  });

  it.each([
    ['KWD', 1234],
    ['MGA', 2550],
  ])('rejects %s %d, which Stripe cannot represent', (currency, amount) => {
    expect(() => minorUnitsToStripe(amount, currency)).toThrow(PaymentRejectedError);
  });

  it('sends a single line if the lines cannot be represented but their sum can', () => {
    const lines = [1234, 6].map((amount) => ({ name: 'Tea', quantity: 1, amount }));
    expect(convertLinesToStripeAmounts(lines, 'KWD')).toEqual([
      { name: 'Your order', quantity: 1, amount: 1240 },
    ]);
    expect(convertLinesToStripeAmounts(lines, 'USD')).toEqual(lines);
  });

  it('converts every amount there and back', () => {
    const amounts = fc.integer({ min: 0, max: 1e11 }).map((amount) => amount * 100);
    fc.assert(
      fc.property(fc.constantFrom(...codes.map(([code]) => code)), amounts, (code, amount) => {
        expect(stripeToMinorUnits(minorUnitsToStripe(amount, code), code)).toBe(amount);
      }),
    );
  });
});
