import type { Action, Stage } from './stage.ts'

/** What people keep for themselves: drafts, reminders, statuses, settings. */
export function personalActions({
  server,
  ids,
  toVerona,
  owner,
  member,
  upload,
  now,
  made,
  links,
  keep,
  say,
}: Stage): Action[] {
  return [
    ['alert words', () => member.post('/users/me/alert_words', { alert_words: ['elsinore'] })],
    ['an alert', say(owner, 'alert', { ...toVerona, content: 'Off to elsinore' })],
    [
      'a muted topic',
      () => member.post('/user_topics', { stream_id: 3, topic: 'noise', visibility_policy: 1 }),
    ],
    [
      'a followed topic',
      () => member.post('/user_topics', { stream_id: 3, topic: 'News', visibility_policy: 3 }),
    ],
    [
      'an unmuted one',
      () => member.post('/user_topics', { stream_id: 3, topic: 'noise', visibility_policy: 0 }),
    ],
    [
      'the first steps',
      () => member.post('/users/me/onboarding_steps', { onboarding_step: 'first_steps' }),
    ],
    ['a pause', () => member.patch('/users/me/quiet_times', { paused_until: 2 ** 34 })],
    [
      'quiet hours',
      () =>
        member.patch('/users/me/quiet_times', {
          schedule: {
            days: [1, 5],
            start_minute: 1320,
            end_minute: 480,
            timezone: 'Europe/Berlin',
          },
        }),
    ],
    ['a muted user', () => member.post(`/users/me/muted_users/${ids.othello}`)],
    ['an unmuted user', () => member.del(`/users/me/muted_users/${ids.othello}`)],
    [
      'a draft',
      keep('drafts', 'ids', () =>
        member.post('/drafts', { drafts: [{ type: 'stream', to: [3], topic: 'x', content: 'y' }] }),
      ),
    ],
    [
      'an edited draft',
      () =>
        member.patch(`/drafts/${made.drafts}`, {
          draft: { type: '', to: [], topic: '', content: 'z' },
        }),
    ],
    ['no draft', () => member.del(`/drafts/${made.drafts}`)],
    [
      'a snippet',
      keep('snippet', 'saved_snippet_id', () =>
        member.post('/saved_snippets', { title: 'a', content: 'b' }),
      ),
    ],
    ['an edited snippet', () => member.patch(`/saved_snippets/${made.snippet}`, { title: 'c' })],
    ['no snippet', () => member.del(`/saved_snippets/${made.snippet}`)],
    [
      'a view',
      () => member.post('/navigation_views', { fragment: 'narrow/is/starred', is_pinned: true }),
    ],
    [
      'a changed view',
      () => member.patch('/navigation_views/narrow%2Fis%2Fstarred', { is_pinned: false }),
    ],
    ['no view', () => member.del('/navigation_views/narrow%2Fis%2Fstarred')],
    [
      'a scheduled message',
      keep('scheduled', 'scheduled_message_id', () =>
        member.post('/scheduled_messages', {
          ...toVerona,
          content: 'Later.',
          scheduled_delivery_timestamp: now() + 600,
        }),
      ),
    ],
    [
      'another time for it',
      () =>
        member.patch(`/scheduled_messages/${made.scheduled}`, {
          scheduled_delivery_timestamp: now() + 900,
        }),
    ],
    [
      'a second one',
      keep('second', 'scheduled_message_id', () =>
        member.post('/scheduled_messages', {
          ...toVerona,
          content: 'Never.',
          scheduled_delivery_timestamp: now() + 9000,
        }),
      ),
    ],
    ['no second one', () => member.del(`/scheduled_messages/${made.second}`)],
    [
      'a reminder',
      keep('reminder', 'reminder_id', () =>
        member.post('/reminders', {
          message_id: made.first,
          scheduled_delivery_timestamp: now() + 600,
          note: 'Do it',
        }),
      ),
    ],
    [
      'another reminder',
      keep('reminder2', 'reminder_id', () =>
        member.post('/reminders', {
          message_id: made.first,
          scheduled_delivery_timestamp: now() + 6000,
        }),
      ),
    ],
    ['no reminder', () => member.del(`/reminders/${made.reminder2}`)],
    ['time passes', async () => void server.clock.advance(20 * 60_000)],
    ['a status', () => member.post('/users/me/status', { status_text: 'Here', emoji_name: 'car' })],
    ['another text', () => member.post('/users/me/status', { status_text: 'There' })],
    ['no status', () => member.post('/users/me/status', { status_text: '', emoji_name: '' })],
    [
      'presence',
      () => member.post('/users/me/presence', { status: 'active', new_user_input: true }),
    ],

    [
      'a file',
      async () => {
        const reply = await upload('/user_uploads', 'a.png')
        links.file = reply.url
        return reply
      },
    ],
    [
      'a link to it',
      () =>
        member.post('/messages', { ...toVerona, content: `[a](${links.file})` }).then((reply) => {
          made.linked = reply.id as number
          return reply
        }),
    ],
    ['no link to it', () => member.patch(`/messages/${made.linked}`, { content: 'Gone.' })],
    [
      'no file',
      async () => {
        const { attachments } = await member.get<{ attachments: { id: number }[] }>('/attachments')
        return await member.del(`/attachments/${attachments[0]?.id}`)
      },
    ],

    [
      'settings',
      () =>
        member.patch('/settings', {
          color_scheme: 2,
          enable_sounds: false,
          default_language: 'de',
          timezone: 'Europe/Berlin',
          twenty_four_hour_time: true,
        }),
    ],
    ['another name', () => member.patch('/settings', { full_name: 'Prince Hamlet' })],
    ['a visible address', () => member.patch('/settings', { email_address_visibility: 1 })],
    [
      'an address for administrators',
      () => member.patch('/settings', { email_address_visibility: 3 }),
    ],
    ['consent', () => member.patch('/settings', { allow_private_data_export: true })],
    [
      'profile data',
      () =>
        member.patch('/users/me/profile_data', {
          data: [
            { id: 1, value: '*12*' },
            { id: 4, value: '1' },
            { id: 7, value: [ids.owner] },
          ],
        }),
    ],
    ['no profile data', () => member.del('/users/me/profile_data', { data: [4] })],
  ]
}
