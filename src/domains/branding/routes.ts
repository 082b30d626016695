/** REST routes of branding. */
import * as operations from '../../generated/operations.ts';
import { defineGetRoute, defineUpdateRoutes } from '../../rest/route.ts';

const branding = '/v1/businesses/:businessId/branding';

export const routes = [
  defineGetRoute(branding, operations.GetBrandingDocument, {
    // The branding of every existing business has defaults, so only the business can be missing.
    recordName: 'Business',
  }),
  ...defineUpdateRoutes(branding, operations.UpdateBrandingDocument),
];
