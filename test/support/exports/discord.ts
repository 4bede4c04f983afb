import { pngPicture } from '#test/support/pictures.ts'
import type { Files } from './archives.ts'

const person = (id: string, name: string, more = {}) => ({
  id,
  name,
  discriminator: '0000',
  nickname: name,
  isBot: false,
  roles: [],
  avatarUrl: '',
  ...more,
})
const ann = person('11', 'ann', {
  nickname: 'Ann',
  avatarUrl: 'general.json_Files/ann%20face.png',
  roles: [
    { id: '91', name: 'Admins', position: 2 },
    { id: '92', name: 'Writers', position: 1 },
  ],
})
const bob = person('12', 'bob', { roles: [{ id: '92', name: 'Writers' }] })
const bot = person('13', 'Helper', { isBot: true })

const message = (id: number, more: object = {}) => ({
  id: String(id),
  type: 'Default',
  timestamp: new Date(1_709_283_600_000 + id * 1000).toISOString().replace('Z', '+00:00'),
  timestampEdited: null,
  isPinned: false,
  content: '',
  author: ann,
  attachments: [],
  embeds: [],
  stickers: [],
  reactions: [],
  mentions: [],
  ...more,
})

const file = (channel: object, messages: readonly unknown[]) =>
  JSON.stringify(
    {
      guild: { id: '1', name: 'Our Guild', iconUrl: 'general.json_Files/icon.png' },
      channel,
      dateRange: { after: null, before: null },
      exportedAt: '2024-03-02T00:00:00+00:00',
      messages,
      messageCount: messages.length,
    },
    undefined,
    2,
  )
const channel = (id: string, type: string, name: string, more = {}) => ({
  id,
  type,
  categoryId: '500',
  category: 'Talk',
  name,
  topic: null,
  ...more,
})
const wave = {
  id: '77',
  name: 'wave_custom',
  code: 'wave_custom',
  imageUrl: 'general.json_Files/wave.png',
}

/** An export with every construct of the format. */
export function discordExport(): Files {
  const general = channel('100', 'GuildTextChat', 'general', { topic: 'For *all*' })
  return {
    'general.json': file(general, [
      message(1, { type: 'GuildMemberJoin', content: 'Joined the server.' }),
      message(2, {
        content:
          '**b** *i* _i_ __u__ ~~s~~ a_b_c `_c_` \\*no\\* <@12> <@!12> <@&91> <#200> <:wave_custom:77> <t:1700000000:R> @everyone @**all**',
        timestampEdited: '2024-03-01T10:00:00+01:00',
        reactions: [
          { emoji: { id: '', name: '👍🏽', code: 'thumbsup' }, count: 2, users: [ann, bob, bob] },
          { emoji: wave, count: 1, users: [bob] },
          {
            emoji: {
              id: '78',
              name: 'lost',
              code: 'lost',
              imageUrl: 'https://cdn.discordapp.com/emojis/78.png',
            },
            count: 1,
            users: [bob],
          },
          { emoji: { id: '', name: '🎉', code: 'tada' }, count: 3 },
        ],
        isPinned: true,
      }),
      message(3, { content: '||all of it||\nand ||some|| @bob', author: bob, mentions: [bob] }),
      message(4, { content: '```js\n__a__ = 1\n```after\n>>> one\ntwo' }),
      message(5, {
        type: 'Reply',
        content: 'Right',
        author: bob,
        reference: { messageId: '2', channelId: '100', guildId: '1' },
      }),
      message(6, { type: 'Reply', content: 'To what?', reference: { messageId: '1' } }),
      message(7, { content: 'This began a thread', author: bob }),
      message(8, { type: 'ThreadCreated', content: 'Started a thread.' }),
      message(9, {
        content: 'https://example.com/a',
        embeds: [{ title: 'A preview', url: 'https://example.com/a', description: 'x' }],
      }),
      message(10, {
        type: '20',
        author: bot,
        embeds: [
          {
            title: 'Result',
            url: 'https://example.com/r',
            description: 'It is **fine**',
            fields: [{ name: 'State', value: 'ok' }],
          },
        ],
      }),
      message(11, {
        content: 'files',
        attachments: [
          {
            id: '901',
            url: 'general.json_Files/plan%20b.txt',
            fileName: 'plan b.txt',
            fileSizeBytes: 4,
          },
          {
            id: '902',
            url: 'https://cdn.discordapp.com/attachments/1/2/gone.png',
            fileName: 'gone.png',
            fileSizeBytes: 4,
          },
          { id: '903', url: '../../etc/passwd', fileName: 'passwd', fileSizeBytes: 4 },
        ],
        stickers: [
          { id: '31', name: 'Hello', format: 'Png', sourceUrl: 'general.json_Files/hello.png' },
          {
            id: '32',
            name: 'Bye',
            format: 'Lottie',
            sourceUrl: 'https://cdn.discordapp.com/stickers/32.json',
          },
        ],
      }),
      message(12, {
        content: '',
        forwardedMessage: { content: 'from elsewhere', attachments: [] },
      }),
      message(13, { content: 'see https://discord.com/channels/1/100/3' }),
      message(14, {}),
      message(15, { timestamp: 'yesterday', content: 'never' }),
      { id: 16 },
    ]),
    'general [part 2].json': file(general, [message(20, { content: 'second part', author: bob })]),
    'threads/thread.json': file(
      channel('7', 'GuildPublicThread', 'The thread', { categoryId: '100', category: 'general' }),
      [
        message(21, { type: 'ThreadStarterMessage', reference: { messageId: '7' } }),
        message(22, { content: 'in the thread' }),
      ],
    ),
    'threads/post.json': file(
      channel('301', 'GuildPublicThread', 'How do I?', { categoryId: '300', category: 'help' }),
      [message(301, { content: 'a post in a forum' })],
    ),
    'threads/secret.json': file(
      channel('302', 'GuildPrivateThread', 'Psst', { categoryId: '100', category: 'general' }),
      [message(302, { content: 'a private thread' })],
    ),
    'staff.json': file(channel('200', 'GuildTextChat', 'staff'), [
      message(201, { content: 'for few' }),
    ]),
    'dm.json': file(
      channel('400', 'DirectTextChat', 'Zoe', { categoryId: null, category: 'Private' }),
      [message(401, { content: 'are you there?' })],
    ),
    'group.json': file(
      channel('410', 'DirectGroupTextChat', 'Ann, Bob', { categoryId: null, category: 'Group' }),
      [message(411, { content: 'a' }), message(412, { content: 'b', author: bob })],
    ),
    'general.json_Files/plan b.txt': 'plan',
    'general.json_Files/ann face.png': pngPicture(),
    'general.json_Files/icon.png': pngPicture(),
    'general.json_Files/wave.png': pngPicture(),
    'general.json_Files/hello.png': pngPicture(),
    'general.json_Files/embedded.json': '{"no": "channel"}',
  }
}
