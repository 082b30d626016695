/** GraphQL mutations of mail templates. Need ADMIN. */
import { permissionInBusinessScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs, inputArg } from '../../graphql/schema/field-tables.ts';
import { asPayload } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { MailTemplateInput } from './inputs.ts';
import { sendTestMail } from './preview-and-send-test-mail.ts';
import { previewMailTemplateSchema, resetMailTemplateSchema, updateMailTemplateSchema } from './schemas.ts';
import { MailTemplateKindEnum, MailTemplatePayload, SendTestMailPayload } from './types.ts';
import { resetMailTemplate, updateMailTemplate } from './update-and-reset-mail-template.ts';

builder.mutationFields((t) => {
  const ref = {
    businessId: t.arg.id({ required: true, description: 'The business.' }),
    kind: t.arg({ type: MailTemplateKindEnum, required: true, description: 'Occasion of the mail.' }),
    locale: t.arg.string({ required: true, description: 'Locale, such as `de` or `de-AT`.' }),
  };
  const version = t.arg.int({
    description: 'Expected version: fails with PRECONDITION_FAILED when the current version differs.',
  });
  return {
    updateMailTemplate: t.field({
      type: MailTemplatePayload,
      description:
        'Edits the mail template of a locale. Mails in this locale use it from now on. Needs ADMIN.',
      authScopes: permissionInBusinessScope('ADMIN'),
      args: { ...ref, version, ...inputArg(MailTemplateInput, 'Parts to change.') },
      ...validatedField(updateMailTemplateSchema, asPayload('mailTemplate', updateMailTemplate)),
    }),
    resetMailTemplate: t.field({
      type: MailTemplatePayload,
      description: 'Returns to the default template of a locale. Needs ADMIN.',
      authScopes: permissionInBusinessScope('ADMIN'),
      args: { ...ref, version },
      ...validatedField(resetMailTemplateSchema, asPayload('mailTemplate', resetMailTemplate)),
    }),
    sendTestMail: t.field({
      type: SendTestMailPayload,
      description:
        'Sends a mail with sample values to the confirmed address of the viewer, from the current template or a draft. Needs ADMIN.',
      authScopes: permissionInBusinessScope('ADMIN'),
      args: fieldArgs({ ...ref, input: [MailTemplateInput, 'Parts that replace those of the template.'] }),
      ...validatedField(previewMailTemplateSchema, sendTestMail),
    }),
  };
});
