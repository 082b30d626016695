/** Placeholders of newsletter mails, written `{{key}}`. Pure. */
export interface TemplateVariable {
  key: string;
  label: string;
  description: string;
  example: string;
}

const variables: readonly TemplateVariable[] = [
  {
    key: 'subscriberName',
    label: 'Subscriber name',
    description: 'Name of the subscriber, or the email address when the name is empty.',
    example: 'Ada Lovelace',
  },
  {
    key: 'subscriberEmail',
    label: 'Subscriber email',
    description: 'Email address of the subscriber.',
    example: 'ada@example.com',
  },
  {
    key: 'unsubscribeUrl',
    label: 'Unsubscribe address',
    description: 'Link to unsubscribe. The only placeholder that is allowed in the address of a link.',
    example: 'https://api.example.com/v1/businesses/…/collections/unsubscribe?token=…',
  },
  {
    key: 'collectionName',
    label: 'Newsletter name',
    description: 'Name of the collection.',
    example: 'Weekly letter',
  },
  {
    key: 'businessName',
    label: 'Business name',
    description: 'Name of the business.',
    example: 'Demo Coffee',
  },
  {
    key: 'entry.title',
    label: 'Entry field',
    description: 'Text of a block of the entry: `entry.` followed by the id of the block.',
    example: 'What is new this week',
  },
];

/** Undefined for an unknown entry type. */
export const findTemplateVariablesOfEntryType = (
  entryType: string,
): readonly TemplateVariable[] | undefined =>
  entryType.toUpperCase() === 'NEWSLETTER' ? variables : undefined;

/** Replaces the placeholders for which `lookUp` returns a value, in one pass: inserted values are not expanded again. */
export const fillNewsletterPlaceholders = (
  template: string,
  lookUp: (key: string) => string | undefined,
): string =>
  template.replace(/\{\{\s*([^{}\s]{1,210})\s*\}\}/g, (whole, key: string) => lookUp(key) ?? whole);
