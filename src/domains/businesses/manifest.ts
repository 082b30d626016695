/** Manifest of businesses: permissions, registrations with other domains. Read by scripts/gather.ts. */
import './staff/staff-contact-source.ts';

export const permissions = {
  ADMIN: 'All permissions, including management of the business itself, its roles, members and settings.',
};
