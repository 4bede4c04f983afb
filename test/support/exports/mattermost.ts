import { pngPicture } from '#test/support/pictures.ts'
import type { Files } from './archives.ts'

const start = 1_709_283_600_000
const post = (seconds: number, user: string, message: string, more: object = {}) => ({
  type: 'post',
  post: {
    team: 'crew',
    channel: 'town-square',
    user,
    message,
    create_at: start + seconds * 1000,
    ...more,
  },
})
const reply = (seconds: number, user: string, message: string, more: object = {}) => ({
  user,
  message,
  create_at: start + seconds * 1000,
  ...more,
})
const direct = (seconds: number, members: readonly string[], user: string, more: object = {}) => ({
  type: 'direct_post',
  direct_post: {
    channel_members: members,
    user,
    message: `direct ${seconds}`,
    create_at: start + seconds * 1000,
    ...more,
  },
})
const user = (username: string, email: string, more: object = {}) => ({
  type: 'user',
  user: {
    username,
    email,
    roles: 'system_user',
    teams: [{ name: 'crew', roles: 'team_user', channels: [{ name: 'town-square' }] }],
    ...more,
  },
})
const channel = (name: string, more: object = {}) => ({
  type: 'channel',
  channel: { team: 'crew', name, display_name: name, type: 'O', ...more },
})

/** The lines of an export with every construct. */
const lines: readonly object[] = [
  { type: 'version', version: 1 },
  { type: 'emoji', emoji: { name: 'wavy', image: 'exported_emoji/wavy.png' } },
  { type: 'emoji', emoji: { name: 'lost', image: 'exported_emoji/lost.png' } },
  { type: 'team', team: { name: 'crew', display_name: 'The Crew', type: 'O' } },
  { type: 'team', team: { name: 'others', display_name: 'Others', type: 'O' } },
  channel('town-square', { display_name: 'Talk', header: 'For all' }),
  channel('talk', { display_name: 'Talk', type: 'P' }),
  channel('123', { display_name: '123', delete_at: start }),
  channel('theirs', { team: 'others' }),
  user('olga', 'olga@example.com', {
    first_name: 'Olga',
    last_name: 'Owner',
    position: 'Head',
    roles: 'system_user system_admin',
    profile_image: 'profile_pictures/olga.png',
    teams: [
      {
        name: 'crew',
        roles: 'team_user team_admin',
        channels: [
          { name: 'town-square', favorite: true },
          { name: 'talk', notify_props: { mark_unread: 'mention' } },
        ],
      },
    ],
  }),
  user('ben.b', 'ben@example.com', { nickname: 'Ben' }),
  user('gus', 'gus@example.com', { roles: 'system_guest', delete_at: start }),
  user('ben.copy', 'BEN@example.com'),
  user('nobody', 'nobody@example.com', { teams: null }),
  user('foreign', 'foreign@example.com', { teams: [{ name: 'others', channels: [] }] }),
  { type: 'bot', bot: { username: 'builder', display_name: 'Builder', owner: 'olga' } },
  post(
    30,
    'ben.b',
    'Later lines come first: <text> & **b** __u__ _i_ ~~s~~ @olga, @ben.b. @all ~talk `@olga` :white_check_mark: :wavy: user@olga.com @**all** ![x](https://example.com/x.png)',
  ),
  post(10, 'olga', 'A root', {
    edit_at: start + 20_000,
    is_pinned: true,
    flagged_by: ['ben.b', 'ghost'],
    reactions: [
      { user: 'ben.b', emoji_name: '+1', create_at: 1 },
      { user: 'ben.copy', emoji_name: '+1', create_at: 1 },
      { user: 'olga', emoji_name: 'wavy', create_at: 1 },
      { user: 'ghost', emoji_name: 'smile', create_at: 1 },
      { user: 'olga', emoji_name: 'unheard_of', create_at: 1 },
    ],
    replies: [
      reply(13, 'olga', 'second reply'),
      reply(12, 'ben.copy', 'first reply', { attachments: [{ path: '20240301/plan.txt' }] }),
      { user: 'olga' },
    ],
  }),
  post(40, 'gus', '', {
    attachments: [{ path: '20240301/gone.txt' }, { path: '../../etc/passwd' }],
  }),
  post(41, 'olga', 'olga joined', { type: 'system_join_channel' }),
  post(42, 'olga', '*waves*', { type: 'me' }),
  post(43, 'builder', '', {
    props: {
      attachments: [
        {
          pretext: 'New',
          title: 'Build',
          title_link: 'https://example.com/b',
          text: 'It is **red**',
          fields: [{ title: 'State', value: 'bad' }],
        },
      ],
    },
  }),
  post(44, 'nobody', 'I left'),
  post(45, 'stranger', 'I am nowhere'),
  post(46, 'olga', 'secret', { channel: 'talk' }),
  post(47, 'foreign', 'elsewhere', { team: 'others', channel: 'theirs' }),
  post(48, 'olga', ''),
  { type: 'post', post: { team: 'crew' } },
  { type: 'direct_channel', direct_channel: { members: ['olga', 'ben.b'] } },
  { type: 'direct_channel', direct_channel: { members: ['ben.b', 'olga'] } },
  {
    type: 'direct_channel',
    direct_channel: {
      participants: [{ username: 'olga' }, { username: 'ben.b' }, { username: 'gus' }],
    },
  },
  { type: 'direct_channel', direct_channel: { members: ['olga', 'olga'] } },
  direct(50, ['olga', 'ben.b'], 'olga', { replies: [reply(51, 'ben.b', 'a reply')] }),
  direct(52, ['gus', 'ben.b', 'olga'], 'gus'),
  direct(53, ['olga', 'olga'], 'olga'),
  direct(54, ['olga', 'foreign'], 'foreign'),
]

export function mattermostExport(): Files {
  return {
    'import.jsonl': `${lines.map((line) => JSON.stringify(line)).join('\n')}\nnot JSON\n`,
    'data/20240301/plan.txt': 'plan',
    'data/exported_emoji/wavy.png': pngPicture(),
    'data/profile_pictures/olga.png': pngPicture(),
  }
}
