/** REST routes of mail templates. */
import * as operations from '../../generated/operations.ts';
import {
  defineCustomRoute,
  defineDeleteRoute,
  defineGetRoute,
  defineUpdateRoutes,
} from '../../rest/route.ts';

const mailTemplates = '/v1/businesses/:businessId/mail-templates';
const mailTemplate = `${mailTemplates}/:kind/:locale` as const;

export const routes = [
  defineCustomRoute('GET', mailTemplates, operations.ListMailTemplatesDocument, {
    response: { value: 'mailTemplates', as: 'templates' },
    query: ['kind', 'locale'],
  }),
  defineGetRoute(mailTemplate, operations.GetMailTemplateDocument),
  ...defineUpdateRoutes(mailTemplate, operations.UpdateMailTemplateDocument),
  defineDeleteRoute(mailTemplate, operations.ResetMailTemplateDocument),
  defineCustomRoute('POST', `${mailTemplate}/preview` as const, operations.PreviewMailTemplateDocument),
  defineCustomRoute('POST', `${mailTemplate}/test` as const, operations.SendTestMailDocument),
];
