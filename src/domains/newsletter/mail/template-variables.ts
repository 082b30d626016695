/** The placeholders that mails may contain, written `{{key}}`. Pure. */
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
    description: 'The name the subscriber gave, or their email when they gave none.',
    example: 'Ada Lovelace',
  },
  {
    key: 'subscriberEmail',
    label: 'Subscriber email',
    description: 'The address the mail goes to.',
    example: 'ada@example.com',
  },
  {
    key: 'unsubscribeUrl',
    label: 'Unsubscribe address',
    description: 'Where the subscriber unsubscribes. The only one that may stand for the address of a link.',
    example: 'https://api.example.com/v1/businesses/…/collections/unsubscribe?token=…',
  },
  {
    key: 'collectionName',
    label: 'Newsletter name',
    description: 'The name of the collection.',
    example: 'Weekly letter',
  },
  {
    key: 'businessName',
    label: 'Business name',
    description: 'The name of the business.',
    example: 'Demo Coffee',
  },
  {
    key: 'entry.title',
    label: 'Entry field',
    description: 'The text of a block of the entry: `entry.` and the id of the block.',
    example: 'What is new this week',
  },
];

/** Undefined: there is no such type of entry. */
export const findTemplateVariables = (entryType: string): readonly TemplateVariable[] | undefined =>
  entryType.toUpperCase() === 'NEWSLETTER' ? variables : undefined;

/** Replaces the placeholders that `lookUp` knows, in one pass: what is put in is not looked at again. */
export const fillPlaceholders = (template: string, lookUp: (key: string) => string | undefined): string =>
  template.replace(/\{\{\s*([^{}\s]{1,210})\s*\}\}/g, (whole, key: string) => lookUp(key) ?? whole);
