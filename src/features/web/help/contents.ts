import { text } from '#translations/translate.ts'

/** The pages of the help centre, by whom they are for, in the order in which they are listed. */
export const sections = [
  {
    name: 'people',
    title: text('Using Parley'),
    pages: [
      'getting-around',
      'topics',
      'sending-messages',
      'formatting',
      'search',
      'notifications',
      'reading',
      'files',
      'calls',
      'keyboard-shortcuts',
      'phones-and-desktops',
      'assistants',
      'account',
      'privacy',
      'settings',
    ],
  },
  {
    name: 'administrators',
    title: text('For administrators'),
    pages: [
      'inviting-people',
      'people-and-roles',
      'groups-and-permissions',
      'channels',
      'organization-settings',
      'moderation',
      'bots-and-integrations',
      'importing',
      'exporting',
    ],
  },
  {
    name: 'operators',
    title: text('For operators'),
    pages: [
      'installing',
      'not-starting',
      'on-the-internet',
      'settings',
      'mail',
      'single-sign-on',
      'phones',
      'calls-and-gifs',
      'backups',
      'upgrading',
      'health-and-metrics',
      'commands',
      'limits',
      'scaling',
      'security',
    ],
  },
  {
    name: 'testers',
    title: text('For testers'),
    pages: ['fixture-mode', 'seeds', 'clock', 'faults'],
  },
  {
    name: 'bots',
    title: text('For bot developers'),
    pages: ['first-bot', 'events', 'errors-and-limits', 'webhooks'],
  },
] as const

/** The paths of all pages, such as `people/topics`, in their order. */
export const pagePaths: readonly string[] = sections.flatMap(({ name, pages }) =>
  pages.map((page) => `${name}/${page}`),
)

/** The names of the pages for operators, which `parley help` shows as well. */
export const operatorPages: readonly string[] = sections.flatMap(({ name, pages }) =>
  name === 'operators' ? pages : [],
)
