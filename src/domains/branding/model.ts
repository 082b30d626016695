/** Branding of a business: the stored document, the record that the API returns, and the brand that mails and pages show. */
import type { MediaItem } from '../shared/media-and-status-history-types.ts';

/** Colours are `#rrggbb` in lower case. */
export interface BrandingDocument {
  logo?: MediaItem | undefined;
  accent?: string | undefined;
  background?: string | undefined;
  shopUrl?: string | undefined;
  /** Page of the shop that shows the order of a mailed link. */
  orderUrl?: string | undefined;
  replyTo?: string | undefined;
  /** Locale of mails to customers whose language is unknown or has no texts. */
  defaultLocale?: string | undefined;
}

export interface Branding extends BrandingDocument {
  businessId: string;
  /** 0 until the first change. */
  version: number;
  createdAt: number;
  updatedAt: number;
}

export const defaultMailLocale = 'en';

export const defaultColours = { accent: '#18181b', background: '#f4f4f5' } as const;

/** What mails and pages show of a business, with all defaults applied. */
export interface ShopBrand {
  /** Empty if the business does not exist. */
  name: string;
  logo?: Pick<MediaItem, 'url' | 'alt' | 'width' | 'height'> | undefined;
  accent: string;
  background: string;
  /** Whether the business has chosen colours; otherwise pages keep their own, with dark mode. */
  hasColours: boolean;
  /** URL of the shop; undefined if unknown. */
  shopUrl?: string | undefined;
  /** Undefined for the page of the gateway. */
  orderUrl?: string | undefined;
  replyTo?: string | undefined;
  defaultLocale: string;
}
