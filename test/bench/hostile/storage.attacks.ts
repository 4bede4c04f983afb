import { type Attack, type Attacker, flood } from './attack.ts'
import { reading, sending } from './client.ts'

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600
const longText = 'All work and no play. '.repeat(450)

/** What one account can pile up, and everyone pays for from then on. */
export const storageAttacks: readonly Attack[] = [
  flood('bot storage: 1 000 keys of 900 letters each time', async (attacker) => {
    const bot = await makeBot(attacker, 1)
    return (round) => {
      const storage = Object.fromEntries(
        Array.from({ length: 1000 }, (_, i) => [`${round}-${i}-${'k'.repeat(900)}`, 'x']),
      )
      return { ...sending('PUT', '/bot_storage', { storage }), as: bot }
    }
  }),
  flood('alert words: 500 come and go, and messages', ({ world }) => {
    const alert_words = Array.from({ length: 500 }, (_, n) => `${'word'.repeat(15)}${n}`)
    return (i) => {
      if (i % 2 > 0) {
        const content = `${alert_words[i % 500]} and words that nobody watches for, ${longText}`
        const place = { type: 'channel', to: world.quietChannel, topic: 'alerts' }
        return sending('POST', '/messages', { ...place, content })
      }
      return sending(i % 4 === 0 ? 'POST' : 'DELETE', '/users/me/alert_words', { alert_words })
    }
  }),
  flood('user topics: a policy for topics that do not exist', ({ world }) => (i) => {
    const topic = `${'t'.repeat(50)} ${i}`
    return sending('POST', '/user_topics', {
      stream_id: world.busyChannel,
      topic,
      visibility_policy: 3,
    })
  }),
  flood(
    'navigation views: of long names',
    () => (i) =>
      sending('POST', '/navigation_views', {
        fragment: `narrow/${i}/${'x'.repeat(900)}`,
        is_pinned: true,
        name: `${i} ${'n'.repeat(90)}`,
      }),
  ),
  flood(
    'drafts: 48 of 10 000 characters each time',
    () => () =>
      sending('POST', '/drafts', {
        drafts: Array.from({ length: 48 }, () => ({
          ...{ type: '', to: [], topic: '' },
          content: longText,
        })),
      }),
  ),
  flood(
    'saved snippets: of 10 000 characters',
    () => (i) => sending('POST', '/saved_snippets', { title: `snippet ${i}`, content: longText }),
  ),
  flood(
    'scheduled messages: of 10 000 characters',
    ({ world }) =>
      () =>
        sending('POST', '/scheduled_messages', {
          ...{ type: 'channel', to: world.quietChannel, topic: 'later', content: longText },
          scheduled_delivery_timestamp: inAnHour(),
        }),
  ),
  flood(
    'bots: as many as can be',
    () => (i) => sending('POST', '/bots', { full_name: `Robot ${i}`, short_name: `robot-${i}` }),
  ),
  flood(
    'invitation links: as many as can be',
    () => () => sending('POST', '/invites/multiuse', { invite_expires_in_minutes: 1000 }),
    { as: 'admin' },
  ),
  flood(
    'phones: as many as can be',
    () => (i) =>
      sending('POST', '/users/me/android_gcm_reg_id', { token: `${i}`.padEnd(4000, 't') }),
  ),
  flood(
    'exports: one after the other',
    () => () => sending('POST', '/export/realm', { export_type: 1 }),
    { as: 'admin' },
  ),
]

/** @param bot_type 1 generic, 2 incoming webhook */
export async function makeBot(attacker: Attacker, bot_type: number) {
  const names = { full_name: 'Robot', short_name: 'robot', bot_type }
  const { api_key } = await attacker.ask<{ api_key: string }>(sending('POST', '/bots', names))
  const { bots } = await attacker.ask<{ bots: { username: string; api_key: string }[] }>(
    reading('/bots'),
  )
  const found = bots.find((bot) => bot.api_key === api_key)
  return { email: found?.username ?? '', apiKey: api_key }
}
