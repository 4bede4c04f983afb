import type { Files } from './archives.ts'
import { bsonOf, RawBson } from './bson.ts'

const at = (seconds: number) => new Date((1_709_283_600 + seconds) * 1000)
const by = (id: string) => ({ _id: id, username: id.slice(1), name: id })

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A time that no `Date` can be. */
const farAway = Buffer.alloc(8)
farAway.writeBigInt64LE(9_000_000_000_000_000n)

/** A dump of Rocket.Chat with every construct; seconds count from 2024-03-01T09:00:00Z. */
export function rocketchatExport(): Files {
  let n = 0
  const message = (rid: string, user: string, msg: string, more: object = {}) => ({
    _id: `m${++n}`,
    rid,
    msg,
    ts: at(n * 10),
    u: by(user),
    ...more,
  })
  return {
    'dump/rocketchat/rocketchat_settings.bson': bsonOf(
      { _id: 'Site_Url', value: 'https://chat.example.com' },
      { _id: 'Site_Name', value: 'Rockets' },
    ),
    'dump/rocketchat/users.bson': bsonOf(
      {
        _id: 'uolga',
        username: 'olga',
        name: 'Olga Owner',
        bio: 'Heads up',
        emails: [{ address: 'olga@example.com', verified: true }],
        type: 'user',
        active: true,
        roles: ['user', 'admin'],
        createdAt: at(-1000),
        services: { password: { bcrypt: '$2b$secret' } },
      },
      {
        _id: 'uben',
        username: 'ben.b',
        name: 'Ben',
        emails: [{ address: 'ben@example.com' }],
        type: 'user',
        active: true,
        roles: ['user'],
        __rooms: ['rtalk'],
      },
      { _id: 'ugus', username: 'gus', name: 'Gus', type: 'user', active: true, roles: ['guest'] },
      { _id: 'ugone', username: 'gone', active: false, emails: [{ address: 'gone@example.com' }] },
      {
        _id: 'uben2',
        username: 'ben.old',
        active: false,
        emails: [{ address: 'BEN@example.com' }],
      },
      { _id: 'rocket.cat', username: 'rocket.cat', name: 'Rocket.Cat', type: 'bot', active: true },
      { _id: 'unameless', type: 'user', active: true },
      { username: 'no id' },
    ),
    'dump/rocketchat/rocketchat_room.bson': bsonOf(
      {
        _id: 'rtalk',
        t: 'c',
        name: 'talk',
        topic: 'For all',
        default: true,
        u: by('uolga'),
        ts: at(-900),
        something: new RawBson(0x13, Buffer.alloc(16)),
      },
      { _id: 'rteam', t: 'p', name: 'crew', fname: 'Crew', teamMain: true, ro: true },
      { _id: 'rold', t: 'c', name: 'old', archived: true },
      { _id: 'rdisc', t: 'c', name: 'xyz', fname: 'What about lunch?', prid: 'rtalk' },
      { _id: 'rdisc2', t: 'c', name: 'xyz2', fname: 'And dinner?', prid: 'rdisc' },
      { _id: 'rsecret', t: 'p', name: 'xyz3', fname: 'Quietly', prid: 'rtalk' },
      { _id: 'rloop1', t: 'c', name: 'loop1', prid: 'rloop2' },
      { _id: 'rloop2', t: 'c', name: 'loop2', prid: 'rloop1' },
      { _id: 'rdm', t: 'd', uids: ['uolga', 'uben'], usernames: ['olga', 'ben.b'] },
      { _id: 'rdm2', t: 'd', usernames: ['ben.b', 'olga'] },
      { _id: 'rself', t: 'd', uids: ['uolga'] },
      { _id: 'rgroup', t: 'd', uids: ['uolga', 'uben', 'ugus'] },
      { _id: 'rlive', t: 'l', fname: 'A visitor' },
      { _id: 'rtalk', t: 'c', name: 'talk again' },
    ),
    'dump/rocketchat/rocketchat_subscription.bson': bsonOf(
      { rid: 'rtalk', u: by('uolga'), f: true, alert: false, ls: at(20) },
      { rid: 'rtalk', u: by('ugus'), alert: true, ls: at(15) },
      { rid: 'rteam', u: by('uolga'), disableNotifications: true },
      { rid: 'rnowhere', u: by('uolga') },
      { rid: 'rsecret', u: by('uben') },
    ),
    'dump/rocketchat/rocketchat_custom_emoji.bson': bsonOf(
      { _id: 'e1', name: 'wavy', aliases: ['wave2'], extension: 'png' },
      { _id: 'e2', name: 'lost', aliases: [], extension: 'png' },
    ),
    'dump/rocketchat/custom_emoji.chunks.bson': bsonOf({ files_id: 'wavy.png', n: 0, data: png }),
    'dump/rocketchat/rocketchat_avatars.bson': bsonOf({ _id: 'a1', userId: 'uolga' }),
    'dump/rocketchat/rocketchat_avatars.chunks.bson': bsonOf({ files_id: 'a1', n: 0, data: png }),
    'dump/rocketchat/rocketchat_uploads.bson': bsonOf(
      {
        _id: 'f1',
        name: 'plan.txt',
        type: 'text/plain',
        size: 8,
        userId: 'uben',
        uploadedAt: at(1),
        store: 'GridFS:Uploads',
      },
      { _id: 'f2', name: 'lost.txt', size: 8, userId: 'uben', store: 'AmazonS3:Uploads' },
      { _id: 'f3', name: 'torn.txt', size: 8, userId: 'uben', store: 'GridFS:Uploads' },
    ),
    'dump/rocketchat/rocketchat_uploads.chunks.bson': bsonOf(
      { files_id: 'f1', n: 1, data: Buffer.from('plan') },
      { files_id: 'f3', n: 1, data: Buffer.from('torn') },
      { files_id: 'f1', n: 0, data: Buffer.from('the ') },
    ),
    'dump/rocketchat/rocketchat_message.bson': bsonOf(
      message('rtalk', 'uolga', 'Shall we *go*?', {
        tcount: 2,
        reactions: {
          ':thumbsup:': { usernames: ['ben.b', 'ben.old', 'stranger'] },
          ':wave2:': { usernames: ['olga'] },
          ':nonsense:': { usernames: ['olga'] },
        },
        starred: [{ _id: 'uben' }],
        pinned: true,
        editedAt: at(11),
      }),
      message('rtalk', 'uben', 'Yes', { tmid: 'm1' }),
      message('rtalk', 'uolga', 'Now', { tmid: 'm1' }),
      message('rtalk', 'ugus', 'to a root that is gone', { tmid: 'mlost' }),
      message(
        'rtalk',
        'uben',
        '@olga, @gus. and @all: _it_ **b** ~no~ ~~no~~ `co*de` #talk #nowhere :white_check_mark: :wavy: [a (page)](https://example.com/a) 2*3 <b> @**all**',
      ),
      message('rtalk', 'uben', '```\n*code*\n```\n> quoted'),
      message('rtalk', 'uben', '[ ](https://chat.example.com/channel/talk?msg=m1) I agree', {
        attachments: [
          {
            text: 'Shall we *go*?\nsoon',
            author_name: 'olga',
            message_link: 'https://chat.example.com/channel/talk?msg=m1',
          },
        ],
      }),
      message('rtalk', 'uben', '', {
        file: { _id: 'f1', name: 'plan.txt' },
        files: [
          { _id: 'f1', name: 'plan.txt' },
          { _id: 'f1t', name: 'thumb-plan.txt' },
        ],
        attachments: [
          { title: 'plan.txt', title_link: '/file-upload/f1/plan.txt', description: 'the plan' },
        ],
      }),
      message('rtalk', 'uben', '', { file: { _id: 'f2', name: 'lost.txt' } }),
      message('rtalk', 'uben', '', { file: { _id: 'f3', name: 'torn.txt' } }),
      message('rtalk', 'rocket.cat', '', {
        alias: 'GitHub',
        attachments: [
          {
            title: 'Issue 1',
            title_link: 'https://example.com/1',
            text: 'It is *bad*',
            fields: [{ title: 'State', value: 'open' }],
          },
        ],
      }),
      message('rtalk', 'uben', 'ben.b', { t: 'uj' }),
      message('rtalk', 'uben', 'SGVsbG8', { t: 'e2e' }),
      message('rtalk', 'uben', 'what it was before', { _hidden: true, parent: 'm1' }),
      message('rtalk', 'uben', ''),
      message('rdisc', 'uben', 'Pizza'),
      message('rdisc2', 'uolga', 'Soup'),
      message('rsecret', 'uben', 'psst'),
      message('rloop1', 'uben', 'round and round'),
      message('rteam', 'uolga', 'for the crew', { tmid: 'mlost' }),
      message('rtalk', 'uben', 'to a root elsewhere', { tmid: 'm33' }),
      message('rdm', 'uolga', 'direct', { tcount: 1 }),
      message('rdm', 'uben', 'reply', { tmid: 'm22' }),
      message('rdm2', 'uben', 'in the second room of the two'),
      message('rself', 'uolga', 'to myself'),
      message('rgroup', 'ugus', 'three'),
      message('rlive', 'uolga', 'Hello visitor'),
      message('rteam', 'uolga', 'secret words', { _id: 'm33', tcount: 1 }),
      { _id: 'mnoroom', msg: 'nowhere', ts: at(1), u: by('uben') },
      message('rtalk', 'unone', 'by nobody known'),
      { _id: 'mnobody', rid: 'rtalk', msg: 'by nobody at all', ts: at(1) },
      { _id: 'mnotime', rid: 'rtalk', msg: 'at no time', u: by('uben') },
      message('rtalk', 'uben', 'from the future', { ts: new RawBson(0x09, farAway) }),
    ),
  }
}
