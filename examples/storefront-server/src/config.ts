/** Settings of the shop, from environment variables. */
export const port = Number(process.env.PORT ?? 5174);
/** Origin of the shop; must be in `ALLOWED_ORIGINS` of the gateway, because the payment page returns to it. */
export const origin = process.env.ORIGIN ?? `http://localhost:${port}`;
export const gatewayUrl = process.env.DUET_URL ?? 'http://localhost:4000';
export const businessId = process.env.BUSINESS_ID ?? '01900000-0000-7000-8000-00000000000b';
export const market = process.env.MARKET ?? 'US';
export const locale = process.env.LOCALE ?? 'en-US';
