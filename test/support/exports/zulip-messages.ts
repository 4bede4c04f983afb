/** How many messages a whole export has, so that they cross from one file to the next twice. */
export const zulipMessages = 2001
/** When the first message was sent. */
export const start = 1_700_000_000

/** The IDs of what is in it. */
export const zulipIds = {
  owner: 11,
  member: 12,
  guest: 13,
  gone: 14,
  bot: 15,
  twin: 16,
  notificationBot: 6,
  publicChannel: 101,
  protectedChannel: 102,
  archivedChannel: 103,
  unicodeChannel: 104,
  crew: 220,
  anonymous: 221,
} as const

const { owner, member, guest, gone, bot } = zulipIds
/** Recipients: channels have 300 and on, people 400 and on, groups of people 500 and on. */
export const toChannel = (id: number) => id + 200
export const toPerson = (id: number) => id + 400
export const toThree = 500
export const toFour = 501

/** The path of an upload. */
export const upload = '2/ab/cdef/plan.txt'

let rows = 0
/** Message `n`, from 1 on: most are in the public channel. */
export function message(n: number): Record<string, unknown> {
  const id = 1000 + n
  const base = {
    id,
    realm: 2,
    sender: owner,
    recipient: toChannel(101),
    subject: 'plans',
    content: `Message ${n}`,
    rendered_content: `<p>Message ${n}</p>`,
    date_sent: start + n * 60 + 0.75,
    sending_client: 3,
    edit_history: null,
    last_edit_time: null,
    type: 1,
  }
  const direct = { subject: '\u0007' }
  const special: Readonly<Record<number, object>> = {
    2: {
      content: '@**Old Name** and @**Person 13|13**',
      rendered_content: '<p><span class="user-mention" data-user-id="12">@Old Name</span></p>',
    },
    3: { content: `[plan](/user_uploads/${upload})`, has_attachment: true },
    4: { sender: member, recipient: toPerson(owner), ...direct, content: 'just us' },
    5: { recipient: toPerson(member), ...direct, content: 'and back' },
    6: { recipient: toPerson(owner), ...direct, content: 'note to self' },
    7: { recipient: toThree, ...direct, content: 'three' },
    8: { recipient: toFour, ...direct, content: 'four' },
    9: { recipient: toChannel(104), subject: 'größe ✔', content: '/me waves' },
    10: { content: '<script>alert(1)</script>', rendered_content: '<script>alert(1)</script>' },
    11: {
      content: 'now',
      subject: 'moved here',
      last_edit_time: start + 5000,
      edit_history: JSON.stringify([
        {
          user_id: owner,
          timestamp: start + 5000,
          prev_content: 'then',
          prev_rendered_content: '<p>then</p>',
          prev_rendered_content_version: 1,
        },
        {
          user_id: null,
          timestamp: start + 4000,
          prev_topic: 'plans',
          topic: 'moved here',
          prev_stream: 104,
          stream: 101,
        },
      ]),
    },
    12: {
      subject: '✔ plans',
      // Releases before 10 note the time of moves here as well.
      last_edit_time: start + 6000,
      edit_history: JSON.stringify([
        { user_id: member, timestamp: start + 6000, prev_topic: 'plans', topic: '✔ plans' },
      ]),
    },
    13: { sender: 6, content: 'from the server' },
    14: { recipient: 999, content: 'to nowhere' },
    15: { edit_history: 'not json' },
    16: {
      content:
        'see [there](https://old.example.org/#narrow/channel/101-channel-101/topic/plans/near/1003) @**all**',
    },
    17: { recipient: toPerson(6), ...direct, content: 'to the bot' },
    18: { sender: 6, recipient: toPerson(owner), ...direct, content: 'its answer' },
    // Some importers only know when a message was changed last.
    19: { last_edit_time: start + 7000.5 },
    31: {
      subject: 'elsewhere',
      last_edit_time: start + 7000,
      edit_history: JSON.stringify([
        { user_id: member, timestamp: start + 8000, prev_topic: 'plans', topic: 'elsewhere' },
      ]),
    },
    // By someone whose account the old server no longer has.
    32: {
      last_edit_time: start + 7000,
      edit_history: JSON.stringify([
        { user_id: 999, timestamp: start + 7000, prev_content: 'before' },
      ]),
    },
  }
  const inProtected = n >= 20 && n < 30
  return { ...base, ...(inProtected && { recipient: toChannel(102) }), ...special[n] }
}

/** Each flag of message 1 for someone, the rest read; a guest has not read the last ten. */
export function flagsOf(n: number, most: number): object[] {
  const id = 1000 + n
  const row = (person: number, mask: number) => ({
    id: ++rows,
    user_profile: person,
    message: id,
    flags_mask: mask,
  })
  if (n === 1) {
    return [
      row(owner, 1 | 2),
      row(member, 1 | 4),
      row(guest, 8),
      row(gone, 1 | 32 | 512),
      row(bot, 1 | 64 | 16 | 128 | 256 | 2048 | 4096),
    ]
  }
  if (n === 4 || n === 5) return [row(owner, 1), row(member, n === 5 ? 0 : 1)]
  if (n >= 20 && n < 30)
    return n >= 25 ? [row(owner, 1), row(member, 1)] : [row(owner, 1), row(member, 1 | 1024)]
  const unread = n > most - 10 ? 0 : 1
  return [row(owner, 1), row(guest, unread)]
}
