import type { Files } from './archives.ts'

const json = (value: unknown) => JSON.stringify(value)

/** Times of messages: seconds after 2024-03-01T09:00:00Z. */
export const ts = (seconds: number, fraction = '000100') => `${1_709_283_600 + seconds}.${fraction}`

const text = (words: string, style?: object) => ({
  type: 'text',
  text: words,
  ...(style && { style }),
})
const section = (...elements: object[]) => ({ type: 'rich_text_section', elements })

/** Rich text with everything that its editor makes. */
const richText = {
  type: 'rich_text',
  elements: [
    section(
      text('bold', { bold: true }),
      text(' and '),
      text('both', { bold: true, italic: true }),
      text(' and '),
      text('gone', { strike: true }),
      text(' and '),
      text('a`b', { code: true }),
      text(' literal *stars* & @**all** &amp; \n'),
      { type: 'user', user_id: 'U2' },
      text(' '),
      { type: 'channel', channel_id: 'C2' },
      text(' '),
      { type: 'broadcast', range: 'here' },
      text(' '),
      { type: 'emoji', name: 'tada', unicode: '1f389' },
      { type: 'emoji', name: 'parrot' },
      text(' '),
      { type: 'link', url: 'https://example.com/a(b)', text: 'a page' },
      text(' '),
      { type: 'date', timestamp: 1_700_000_000, format: '{date}', fallback: 'then' },
    ),
    {
      type: 'rich_text_list',
      style: 'ordered',
      indent: 0,
      offset: 2,
      elements: [section(text('three')), section(text('four'))],
    },
    { type: 'rich_text_list', style: 'bullet', indent: 1, elements: [section(text('inner'))] },
    { type: 'rich_text_quote', elements: [text('said\ntwice')] },
    { type: 'rich_text_preformatted', elements: [text('if (a) {\n  ```\n}')] },
    section(text('end')),
  ],
}

/** @param files where the files of messages are, such as `https://files.slack.com` */
export function slackExport(files = 'https://files.slack.com'): Files {
  return {
    'users.json': json([
      {
        id: 'U1',
        name: 'olga',
        is_primary_owner: true,
        is_owner: true,
        is_admin: true,
        tz: 'Europe/Berlin',
        profile: {
          real_name: 'Olga Owner',
          display_name: 'olga',
          email: 'olga@example.com',
          title: 'CEO',
          phone: '+49 1',
          fields: { Xf1: { value: 'Blue', alt: '' } },
        },
      },
      {
        id: 'U2',
        name: 'ben',
        is_admin: true,
        profile: { real_name: 'Ben Admin', email: 'ben@example.com', fields: null },
      },
      { id: 'U3', name: 'gast', is_restricted: true, profile: { real_name: 'Gäst' } },
      {
        id: 'U4',
        name: 'gone',
        deleted: true,
        profile: { real_name: 'Gone', email: 'gone@example.com' },
      },
      {
        id: 'U5',
        name: 'ben.old',
        deleted: true,
        profile: { real_name: 'Ben Old', email: 'BEN@example.com' },
      },
      { id: 'U6', name: 'deploy', is_bot: true, profile: { real_name: 'Deploy', bot_id: 'B6' } },
      { name: 'no id' },
    ]),
    'channels.json': json([
      {
        id: 'C1',
        name: 'general',
        created: 1_600_000_000,
        creator: 'U1',
        is_general: true,
        members: ['U1', 'U2', 'U5', 'U3'],
        purpose: { value: 'For *all* &amp; <#C2|random>' },
      },
      { id: 'C2', name: 'random', creator: 'U2', members: ['U1'], is_archived: true },
      { id: 'C3', name: 'über-ärger-日本', members: [] },
    ]),
    'groups.json': json([{ id: 'G1', name: 'secret', creator: 'U1', members: ['U1', 'U2'] }]),
    'mpims.json': json([{ id: 'G2', name: 'mpdm-olga--ben--gast-1', members: ['U1', 'U2', 'U3'] }]),
    'dms.json': json([{ id: 'D1', members: ['U1', 'U2'] }]),
    'integration_logs.json': '[]',
    'canvases.json': '[]',
    'FC:F9:Plan/2024-03-01.json': json([{ ts: ts(1), text: 'a canvas' }]),
    'general/2024-03-01.json': json([
      { ts: ts(5), user: 'U2', subtype: 'channel_join', text: '<@U2> has joined the channel' },
      { ts: ts(30), user: 'U2', text: 'a later line comes first' },
      {
        ts: ts(10),
        user: 'U1',
        text: 'Hi <@U2> and <@U5|old ben>, <!channel>: *bold* _it_ ~no~ `co*de` :white_check_mark: :custom: 2*3 <https://example.com/x?a=1&amp;b=2|a &amp; b> &amp;lt;',
        edited: { user: 'U1', ts: ts(11) },
        reactions: [
          { name: '+1::skin-tone-2', users: ['U2', 'U5', 'U3'], count: 3 },
          { name: '+1', users: ['U2', 'U1'], count: 2 },
          { name: 'white_check_mark', users: ['U1'] },
          { name: 'wavy', users: ['U1'] },
          { name: 'party', users: ['U2'] },
        ],
        pinned_to: ['C1'],
      },
      { ts: ts(40), user: 'U1', blocks: [richText], text: 'not this' },
      {
        ts: ts(50),
        user: 'U2',
        text: '&gt; quoted\n```\ncode &lt;b&gt;\n```\nsee <https://team.slack.com/archives/C1/p1709283610000100> and <mailto:a@b.de|a@b.de> <javascript:alert(1)|x> <!date^1700000000^{date}|then> <!subteam^S1|@devs>',
      },
      { ts: 'yesterday', user: 'U1', text: 'no time' },
      { ts: ts(60), subtype: 'me_message', user: 'U2', text: 'waves' },
      {
        ts: ts(70),
        subtype: 'bot_message',
        bot_id: 'B1',
        username: 'GitHub',
        text: '',
        attachments: [
          {
            pretext: 'New',
            title: 'Issue 1',
            title_link: 'https://example.com/1',
            text: 'It is *bad*',
            fields: [{ title: 'State', value: 'open' }],
          },
          { from_url: 'https://example.com/1', title: 'a preview', text: 'of a page' },
        ],
      },
      { ts: ts(71), subtype: 'bot_message', bot_id: 'B6', text: 'deployed by a user' },
      { ts: ts(72), subtype: 'bot_message', username: 'old hook', text: 'by name alone' },
      { ts: ts(73), user: 'U77', user_profile: { real_name: 'Ext Ernal' }, text: 'from elsewhere' },
      { ts: ts(80), subtype: 'tombstone', user: 'USLACKBOT', text: 'This message was deleted.' },
      { ts: ts(81), subtype: 'pinned_item', user: 'U1', text: 'pinned' },
      {
        ts: ts(82),
        subtype: 'file_comment',
        text: 'x commented',
        comment: { user: 'U2', comment: 'nice *file*' },
      },
      { ts: ts(90), user: 'U1', text: '', files: [] },
      {
        ts: ts(91),
        user: 'U2',
        text: 'shared',
        attachments: [
          {
            is_share: true,
            is_msg_unfurl: true,
            from_url: 'https://team.slack.com/archives/C1/p1709283610000100',
            author_name: 'Olga',
            text: 'Hi\nyou',
          },
        ],
      },
    ]),
    'general/2024-03-02.json': json([
      {
        ts: ts(86_400),
        user: 'U1',
        text: 'Shall *we* start <@U2>? '.repeat(4),
        thread_ts: ts(86_400),
        reply_count: 2,
      },
      {
        ts: ts(86_500),
        user: 'U2',
        text: 'Shall *we* start <@U2>? '.repeat(4),
        thread_ts: ts(86_500),
        reply_count: 1,
      },
      { ts: ts(86_410), user: 'U2', text: 'Yes', thread_ts: ts(86_400) },
      { ts: ts(86_510), user: 'U1', text: 'Again', thread_ts: ts(86_500) },
      { ts: ts(86_600), user: 'U1', text: 'to a thread that is gone', thread_ts: ts(-999) },
      { ts: ts(86_700), user: 'U3', text: 'nobody replied', thread_ts: ts(86_700), reply_count: 0 },
    ]),
    'general/2024-03-03.json': json([
      {
        ts: ts(172_800),
        subtype: 'thread_broadcast',
        user: 'U1',
        text: 'And to all',
        thread_ts: ts(86_400),
      },
      'not a message',
    ]),
    'über-ärger-日本/2024-03-01.json': json([
      {
        ts: ts(100),
        user: 'U2',
        text: 'files',
        files: [
          {
            id: 'F1',
            name: 'plan.txt',
            title: 'The plan',
            mimetype: 'text/plain',
            mode: 'hosted',
            url_private: `${files}/good?t=xoxe-1-secret`,
            size: 4,
            user: 'U2',
            created: 1_709_283_700,
          },
          {
            id: 'F2',
            name: 'login.png',
            mimetype: 'image/png',
            mode: 'hosted',
            url_private: `${files}/login?t=xoxe-1-secret`,
            size: 9,
          },
          {
            id: 'F3',
            name: 'moved.png',
            mimetype: 'image/png',
            mode: 'hosted',
            url_private: `${files}/moved?t=xoxe-1-secret`,
            size: 9,
          },
          { id: 'F4', mode: 'tombstone' },
          { id: 'F5', name: 'old.zip', mode: 'hidden_by_limit' },
          { id: 'F6', file_access: 'access_denied' },
          { id: 'F7', name: 'nowhere.txt', mode: 'hosted' },
          {
            id: 'F8',
            name: 'doc',
            title: 'A document',
            is_external: true,
            url_private: 'https://docs.example.com/d/1',
          },
          { id: 'F9', name: 'evil.txt', mode: 'hosted', url_private: 'https://evil.example.com/x' },
          null,
        ],
      },
      { ts: ts(101), user: 'U2', text: `<${files}/good?t=xoxe-1-secret> is where it was` },
    ]),
    'secret/2024-03-01.json': json([{ ts: ts(110), user: 'U1', text: 'psst' }]),
    'D1/2024-03-01.json': json([
      { ts: ts(120), user: 'U1', text: 'direct', thread_ts: ts(120), reply_count: 1 },
      { ts: ts(121), user: 'U2', text: 'reply', thread_ts: ts(120) },
    ]),
    'mpdm-olga--ben--gast-1/2024-03-01.json': json([{ ts: ts(130), user: 'U3', text: 'three' }]),
  }
}
