import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sections } from '#client/settings/sections.ts'
import { violations } from '#test/support/axe.ts'
import { noChromium, openSite } from '#test/support/browser-page.ts'

const views: readonly (readonly [what: string, hash: string])[] = [
  ['inbox', '#inbox'],
  ['recent conversations', '#recent'],
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
]

describe('axe finds nothing wrong', { skip: noChromium }, async () => {
  if (noChromium) return
  const site = await openSite()
  after(() => site.close())
  const owner = site.server.as('owner')
  const to = { type: 'channel', to: 'Verona', topic: 'plans' }
  const content =
    '@**King Hamlet** a plan with `code`, a [link](https://example.com) and\n\n> a quote'
  await owner.post('/messages', { ...to, content })
  await owner.post('/messages', { ...to, content: '/poll When?\nToday\nTomorrow' })
  await owner.post('/messages', { type: 'direct', to: [site.server.ids.member], content: 'Psst' })

  // Colours are all that differs in the dark.
  const rules = { light: undefined, dark: 'color-contrast' } as const
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`in any view, ${colorScheme}`, async () => {
      const { page } = await site.logIn('member', { context: { colorScheme, bypassCSP: true } })
      for (const [what, hash] of views) {
        await page.evaluate((next) => location.assign(next), hash)
        await page.waitForTimeout(400)
        assert.deepEqual(await violations(page, rules[colorScheme]), [], `${what}, ${colorScheme}`)
      }
    })
  }
})
