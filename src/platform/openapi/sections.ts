/** The sections of the API description, in order. */
export const sections = [
  'Messages',
  'Drafts and snippets',
  'Files',
  'Events',
  'Channels',
  'Users',
  'Invitations',
  'Phones',
  'Own settings',
  'Bots',
  'User groups',
  'Organization',
  'Logging in',
] as const

export type Section = (typeof sections)[number]
