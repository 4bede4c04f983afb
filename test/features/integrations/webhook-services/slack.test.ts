import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { slackIncoming } from '#features/integrations/webhook-services/services/slack_incoming.ts'
import { fromMrkdwn } from '#features/integrations/webhook-services/slack/text.ts'
import { notesAbout } from '#test/support/webhooks.ts'

const slackNote = (payload: unknown) => notesAbout(slackIncoming, payload)[0]

describe('what Slack marks up is marked up here', () => {
  // biome-ignore format: a table reads best in columns
  const matrix: [mrkdwn: string, markdown: string][] = [
    ['plain',                                 'plain'],
    ['*bold* and _slanted_ and ~gone~',       '**bold** and *slanted* and ~~gone~~'],
    ['_*both*_ (*bold*), "*bold*"',           '***both*** (**bold**), "**bold**"'],
    ['2 * 3 * 4 and a*b*c and snake_case_x',  '2 * 3 * 4 and a*b*c and snake_case_x'],
    ['* no * and _ no _',                     '* no * and _ no _'],
    ['*one\ntwo*',                            '*one\ntwo*'],
    ['`*code*` stays',                        '`*code*` stays'],
    ['see ```a *b*\nc``` there',              'see \n```\na *b*\nc\n```\n there'],
    ['a &lt;b&gt; &amp;amp; c',               'a <b> &amp; c'],
    ['`a &lt; b`',                            '`a < b`'],
    ['<https://a.example/x_y_z>',             'https://a.example/x_y_z'],
    ['<https://a.example/?a=1&amp;b=2|Here>', '[Here](https://a.example/?a=1&b=2)'],
    ['*<https://a.example|Here>*',            '**[Here](https://a.example)**'],
    ['<https://a.example|a ] b>',             '[a ) b](https://a.example)'],
    ['<javascript:alert(1)|Here>',            'Here'],
    ['<vscode://file/a.ts|Open> it',          'Open it'],
    ['if a < b and c > d',                    'if a < b and c > d'],
    ['Map<String, List<*T*>> of <none>',      'Map<String, List<*T*>> of <none>'],
    ['<@ x> <#> <! y> <a|b> <std::string>',   '<@ x> <#> <! y> <a|b> <std::string>'],
    ['<mailto:a@b.example|a@b.example>',      'a@b.example'],
    ['<mailto:a@b.example>',                  'a@b.example'],
    ['<tel:+4912345> <tel:1|call>',           '+4912345 call'],
    ['<@U123|ada> <@U456>',                   '@ada @U456'],
    ['<#C123|general> <#C456>',               '#general #C456'],
    ['<!here> <!channel|channel> <!subteam^S1|@menders>', '@here @channel @menders'],
    ['<!date^1700000000^{date}|14 November>', '<time:2023-11-14T22:13:20.000Z>'],
    ['<!date^x^{date}|14 November>',          '@14 November'],
    ['@**all** @**King Hamlet**',             '@_**all** @**King Hamlet**'],
    ['a\u0000b\ue0000\ue001',                 'ab0'],
    [':tada:',                                ':tada:'],
    ['',                                      ''],
  ]
  for (const [mrkdwn, markdown] of matrix) {
    test(JSON.stringify(mrkdwn), () => assert.equal(fromMrkdwn(mrkdwn), markdown))
  }

  for (const sign of ['*', '_', '~', '`', '<', '```', '*a ', '_ ', '<a|', '\ue000', '*_~']) {
    test(`a hundred thousand of ${JSON.stringify(sign)} take no time`, () => {
      const source = sign.repeat(100_000)
      assert.ok(fromMrkdwn(source).length <= 4 * source.length)
    })
  }
})

const section = (text: string, type = 'mrkdwn') => ({ type: 'section', text: { type, text } })
const rich = (...elements: object[]) => ({ type: 'rich_text', elements })
const line = (...elements: object[]) => ({ type: 'rich_text_section', elements })
const word = (text: string, style?: object) => ({ type: 'text', text, style })

describe('what a payload for Slack says', () => {
  // biome-ignore format: a table reads best in columns
  const matrix: [string, object, string][] = [
    ['text',                      { text: 'Hello, *you*.', username: 'x', icon_emoji: ':x:' }, 'Hello, **you**.'],
    ['blocks instead of text',    { text: 'Fallback', blocks: [section('Hello')] }, 'Hello'],
    ['text for unknown blocks',   { text: 'Fallback', blocks: [{ type: 'input', element: {} }] }, 'Fallback'],
    ['a header',                  { blocks: [{ type: 'header', text: { type: 'plain_text', text: 'Budget *now*' } }] }, '## Budget *now*'],
    ['a divider',                 { blocks: [section('a'), { type: 'divider' }, section('b')] }, 'a\n\n---\n\nb'],
    ['plain text as it is',       { blocks: [section('*a* <b>', 'plain_text')] }, '*a* <b>'],
    ['fields',                    { blocks: [{ type: 'section', fields: [{ type: 'mrkdwn', text: '*Type*' }, { type: 'plain_text', text: 'Bug' }] }] }, '**Type**\nBug'],
    ['an accessory',              { blocks: [{ ...section('See'), accessory: { type: 'image', image_url: 'https://a.example/b.png', alt_text: 'A cat' } }] }, 'See\n[A cat](https://a.example/b.png)'],
    ['no button beside text',     { blocks: [{ ...section('See'), accessory: { type: 'button', text: { type: 'plain_text', text: 'x' } } }] }, 'See'],
    ['a context',                 { blocks: [{ type: 'context', elements: [{ type: 'image', image_url: 'https://a.example/b.png', alt_text: 'cat' }, { type: 'mrkdwn', text: '*by* Ada' }] }] }, '[cat](https://a.example/b.png) | **by** Ada'],
    ['a picture',                 { blocks: [{ type: 'image', image_url: 'https://a.example/b.png', alt_text: 'cat', title: { type: 'plain_text', text: 'A cat' } }] }, '[A cat](https://a.example/b.png)'],
    ['buttons that are links',    { blocks: [{ type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open' }, url: 'https://a.example' }, { type: 'button', text: { type: 'plain_text', text: 'No' }, value: '1' }] }, section('x')] }, '[Open](https://a.example)\n\nx'],
    ['rich text',                 { blocks: [rich(line(word('a '), word(' b ', { bold: true, italic: true }), word('c', { code: true }), word('d', { strike: true })))] }, 'a  ***b*** `c`~~d~~'],
    ['what rich text names',      { blocks: [rich(line({ type: 'user', user_id: 'U1' }, word(' '), { type: 'channel', channel_id: 'C1' }, word(' '), { type: 'broadcast', range: 'here' }, word(' '), { type: 'emoji', name: 'tada' }, word(' '), { type: 'link', url: 'https://a.example', text: 'Here' }))] }, '@U1 #C1 @here :tada: [Here](https://a.example)'],
    ['a list',                    { blocks: [rich({ type: 'rich_text_list', style: 'bullet', indent: 1, elements: [line(word('a')), line(word('b'))] })] }, '* a\n  * b'],
    ['a numbered list',           { blocks: [rich({ type: 'rich_text_list', style: 'ordered', elements: [line(word('a')), line(word('b'))] })] }, '1. a\n2. b'],
    ['a quote and code',          { blocks: [rich({ type: 'rich_text_quote', elements: [word('a\nb')] }, { type: 'rich_text_preformatted', elements: [word('x = 1')] })] }, '> a\n> b\n```\nx = 1\n```'],
    ['an attachment',             { text: 'Look', attachments: [{
      fallback: 'no', color: '#36a64f', pretext: 'A *pretext*', author_name: 'Ada', author_link: 'https://a.example',
      title: 'Title', title_link: 'https://b.example', text: 'Text', fields: [{ title: 'Priority', value: 'High', short: true }, { title: 'Count', value: 5 }],
      image_url: 'https://a.example/b.png', footer: 'Foot', ts: 1700000000,
    }] }, 'Look\n\nA **pretext**\n[Ada](https://a.example)\n**[Title](https://b.example)**\nText\n**Priority**: High\n**Count**: 5\n[image](https://a.example/b.png)\nFoot | <time:2023-11-14T22:13:20.000Z>'],
    ['a fallback alone',          { attachments: [{ fallback: 'Only this' }] }, 'Only this'],
    ['an attachment of blocks',   { attachments: [{ color: 'good', blocks: [section('Inside')] }] }, 'Inside'],
    ['nulls',                     { text: 'Hello', blocks: null, attachments: null, channel: null }, 'Hello'],
    ['a time that is none',       { attachments: [{ text: 'x', ts: 'tomorrow' }] }, 'x'],
  ]
  for (const [what, payload, content] of matrix) {
    test(what, () => assert.equal(slackNote(payload)?.content, content))
  }

  test('spaces between words stay, however many', () => {
    const words = `a${' '.repeat(20_000)}b`
    const note = slackNote({ blocks: [rich(line(word(words, { bold: true })))] })
    assert.equal(note?.content, `**${words}**`)
  })

  for (const [channel, topic] of [
    ['#alerts', 'alerts'],
    ['alerts', 'alerts'],
    ['@ada', 'ada'],
    ['', ''],
  ] as const) {
    test(`the topic for the channel ${JSON.stringify(channel)}`, () => {
      assert.equal(slackNote({ text: 'x', channel })?.topic, topic)
    })
  }
})
