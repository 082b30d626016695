/** GraphQL queries of mail templates. Need ADMIN. */
import { permissionInBusinessScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { findMailTemplateForEditing, listMailTemplates } from './find-mail-templates.ts';
import { MailTemplateInput } from './inputs.ts';
import { previewMailTemplate } from './preview-and-send-test-mail.ts';
import { listMailTemplatesSchema, mailTemplateRefSchema, previewMailTemplateSchema } from './schemas.ts';
import { MailPreviewGraphqlType, MailTemplateGraphqlType, MailTemplateKindEnum } from './types.ts';

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const ref = {
    businessId,
    kind: t.arg({ type: MailTemplateKindEnum, required: true, description: 'Occasion of the mail.' }),
    locale: t.arg.string({ required: true, description: 'Locale, such as `de` or `de-AT`.' }),
  };
  return {
    mailTemplates: t.field({
      type: [MailTemplateGraphqlType],
      description:
        'Mail templates of a business: every kind in every language with built-in texts and in the locales of the business. Needs ADMIN.',
      authScopes: permissionInBusinessScope('ADMIN'),
      complexity: { field: 20, multiplier: 40 },
      args: fieldArgs({
        businessId,
        kind: [MailTemplateKindEnum, 'Only this kind.'],
        locale: ['String', 'Only this locale.'],
      }),
      ...validatedField(listMailTemplatesSchema, listMailTemplates),
    }),
    mailTemplate: t.field({
      type: MailTemplateGraphqlType,
      description:
        'The mail template of a locale; if it is not customized, the one that mails in this locale use. Needs ADMIN.',
      authScopes: permissionInBusinessScope('ADMIN'),
      args: ref,
      ...validatedField(mailTemplateRefSchema, findMailTemplateForEditing),
    }),
    mailTemplatePreview: t.field({
      type: MailPreviewGraphqlType,
      description: 'A mail with sample values, from the current template or a draft. Needs ADMIN.',
      authScopes: permissionInBusinessScope('ADMIN'),
      complexity: 50,
      args: fieldArgs({ ...ref, input: [MailTemplateInput, 'Parts that replace those of the template.'] }),
      ...validatedField(previewMailTemplateSchema, previewMailTemplate),
    }),
  };
});
