/** Mail templates as the API returns them. */
import type { MailTemplateContent } from './rendering/built-in-templates.ts';
import type { MailTemplateKind } from './rendering/mail-kinds-and-placeholders.ts';

export interface MailTemplateRef {
  businessId: string;
  kind: MailTemplateKind;
  /** Canonical locale. */
  locale: string;
}

export interface MailTemplate extends MailTemplateRef, MailTemplateContent {
  /** Whether the business has edited the template of this locale. */
  isCustomized: boolean;
  /** 0 for a template that is not customized. */
  version: number;
  updatedAt?: number | undefined;
}

/** A template with the locale of its text. */
export interface LocalizedMailTemplateContent extends MailTemplateContent {
  locale: string;
}
