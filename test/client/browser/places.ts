import type { Page, Request } from 'playwright-core'
import { sections } from '#client/settings/sections.ts'
import { within } from '#test/support/eventually.ts'

/** Views and overlays of the client, and the button that opens a form there. */
export const places: readonly (readonly [what: string, hash: string, button?: string])[] = [
  ['inbox', '#inbox'],
  ['recent conversations', '#recent'],
  ['direct conversations', '#direct'],
  ['combined feed', '#feed'],
  ['channel', '#narrow/channel/3-Verona'],
  ['topic', '#narrow/channel/3-Verona/topic/plans'],
  ['direct messages', '#narrow/dm/8-Cordelia'],
  ['mentions', '#narrow/is/mentioned'],
  ['search', '#narrow/search/plan'],
  ['topic list', '#topics/channel/3-Verona'],
  ['drafts', '#drafts'],
  ['scheduled', '#scheduled'],
  ['reminders', '#reminders'],
  ['channels', '#channels/all'],
  ['general settings of a channel', '#channels/3/Verona/general'],
  ['personal settings of a channel', '#channels/3/Verona/personal'],
  ['subscribers of a channel', '#channels/3/Verona/subscribers'],
  ['permissions of a channel', '#channels/3/Verona/permissions'],
  ['new channel', '#channels/new'],
  ['groups', '#groups/all'],
  ['general settings of a group', '#groups/15/hamletcharacters/general'],
  ['members of a group', '#groups/15/hamletcharacters/members'],
  ['permissions of a group', '#groups/15/hamletcharacters/permissions'],
  ['new group', '#groups/new'],
  ['keyboard shortcuts', '#keyboard-shortcuts'],
  ...sections.map(({ area, id, title }): [string, string] => [
    `settings: ${title}`,
    `#${area === 'personal' ? 'settings' : 'organization'}/${id}`,
  ]),
  ['a person', '#user/8'],
  ['inviting people', '#invite'],
  ['deactivated people', '#organization/users/deactivated'],
  ['invitations', '#organization/users/invitations'],
  ['new emoji', '#organization/emoji-settings', 'Add an emoji'],
  ['new linkifier', '#organization/linkifier-settings', 'Add linkifier'],
  ['profile field', '#organization/profile-field-settings', 'Change Favorite editor'],
  [
    'deactivation of the organization',
    '#organization/organization-profile',
    'Deactivate organization…',
  ],
]

/** Waits until a page has got what it asked the server for, and its document stays as it is. */
export function settling(page: Page): () => Promise<void> {
  const pending = new Set<Request>()
  page.on('request', (request) => {
    // A poll is answered when something happens.
    if (!request.url().includes('/json/events')) pending.add(request)
  })
  const end = (request: Request) => void pending.delete(request)
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return async () => {
    do {
      const isQuiet = page.evaluate(
        (quietMs) =>
          new Promise<void>((resolve) => {
            let timer = setTimeout(resolve, quietMs)
            const observer = new MutationObserver(() => {
              clearTimeout(timer)
              timer = setTimeout(resolve, quietMs)
            })
            const all = { subtree: true, childList: true, attributes: true, characterData: true }
            observer.observe(document, all)
          }),
        100,
      )
      await within(isQuiet, 'The page rests')
    } while (pending.size > 0)
  }
}
