import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { findMessage } from '#features/foundation/core/queries.ts'
import { narrowMatcher } from '#features/messaging/narrow/live.queries.ts'
import type { Term } from '#platform/events/types.ts'
import { nameFault, tidyName } from '#shared/names.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { store } = server.server.context

const say = (content: string, topic = 'x') => server.say('admin', 'shared', topic, content)
const search = (operand: string, negated = false): Term[] => [
  { operator: 'search', operand, negated },
]

interface Found {
  id: number
  match_content: string
  match_subject: string
}

async function find(narrow: readonly Term[]): Promise<Found[]> {
  const reply = await server.as('member').get<{ messages: Found[] }>('/messages', {
    anchor: 'newest',
    num_before: 1000,
    num_after: 0,
    narrow,
  })
  assert.equal(reply.result, 'success', reply.msg)
  return reply.messages
}

/** What the narrow of an event queue says about a message. */
function matchesLive(id: number, narrow: readonly Term[]): boolean {
  const row = findMessage(store, id)
  assert.ok(row)
  const matches = narrowMatcher(store, { userId: server.ids.member, narrow })
  assert.ok(matches)
  return matches({ ...row, channel: undefined, people: [], flags: [] })
}

/** Each row: what someone writes, what someone searches, and the parts highlighted, if found. */
const rows: Readonly<Record<string, [text: string, searched: string, ...marked: string[]][]>> = {
  Japanese: [
    ['今日は東京都に行きます', '東京', '東京'],
    ['今日は東京都に行きます', '京都', '京都'],
    ['今日は東京都に行きます', '都', '都'],
    ['今日は東京都に行きます', '東都'],
    ['東京と大阪と東京', '大阪　東京', '東京', '大阪', '東京'],
    ['ラーメンを食べる', 'ラーメン', 'ラーメン'],
    ['ラーメンを食べる', 'ﾗｰﾒﾝ', 'ラーメン'],
    ['ﾊﾟｿｺﾝとｶﾞﾑ', 'パソコン', 'ﾊﾟｿｺﾝ'],
    ['ﾊﾟｿｺﾝとｶﾞﾑ', 'ガム', 'ｶﾞﾑ'],
    ['か\u3099くせい', 'がくせい', 'か\u3099くせい'],
    ['かくせい', 'がくせい'],
    ['㌔と㍿', '株式会社', '㍿'],
    ['人々の𠮷野家', '𠮷野', '𠮷野'],
  ],
  Chinese: [
    ['我们在北京大学开会', '北京大学', '北京大学'],
    ['我们在北京大学开会', '大学', '大学'],
    ['我们在北京大学开会', '"京大"', '京大'],
    ['我们在北京大学开会', '大京'],
    ['我们，在北京', '我们在', '我们，在'],
  ],
  Korean: [
    ['한국어를 배워요', '한국어', '한국어'],
    ['한국어를 배워요', '한국어'.normalize('NFD'), '한국어'],
    ['한국어를 배워요'.normalize('NFD'), '배워요', '배워요'.normalize('NFD')],
  ],
  Thai: [
    ['ฉันรักภาษาไทยมาก', 'ภาษา', 'ภาษา'],
    ['ฉันรักภาษาไทยมาก', 'ไทย', 'ไทย'],
    ['ดื่มน้ำที่นี่', 'น้ำ', 'น้ำ'],
    ['มา', 'ม้า'],
  ],
  Lao: [['ຂ້ອຍຮັກພາສາລາວ', 'ພາສາ', 'ພາສາ']],
  Khmer: [['ខ្ញុំស្រឡាញ់ភាសាខ្មែរ', 'ភាសា', 'ភាសា']],
  Burmese: [['ကျွန်တော်မြန်မာစာဖတ်တယ်', 'မြန်မာ', 'မြန်မာ']],
  Hindi: [
    ['मुझे हिन्दी पसंद है', 'हिन्दी', 'हिन्दी'],
    ['मुझे हिन्दी पसंद है', 'हनद'],
  ],
  mixed: [
    ['Parleyは速い', 'parley', 'Parley'],
    ['Parleyは速い', '速い', '速い'],
    ['Parleyは速い', 'parleyは速', 'Parleyは速'],
    ['第3回ＰａｒｌｅｙＡＰＩ会議', 'parleyapi', 'ＰａｒｌｅｙＡＰＩ'],
    ['第3回ＰａｒｌｅｙＡＰＩ会議', '3回', '3回'],
    ['版本１２３', '123', '１２３'],
    ['run 走る running', '走る runs', 'run', '走る', 'running'],
    ['今日は👍🏽東京', '東京', '東京'],
    ['👨‍👩‍👧 rain👍day', 'rain day', 'rain', 'day'],
    ['東京 & <大阪>', '大阪', '大阪'],
  ],
  English: [
    ['Running tests', 'run TEST', 'Running', 'tests'],
    ['the connections', 'connected', 'connections'],
    ['a co\u00adoperation', 'cooperate', 'co\u00adoperation'],
    ['don’t', "don't", 'don’t'],
    ['ﬁnd me', 'find', 'ﬁnd'],
    ['train', 'rain'],
  ],
  accents: [
    ['Café', 'cafe\u0301', 'Café'],
    ['Cafe\u0301s', 'café', 'Cafe\u0301s'],
    ['cafe', 'CAFÉ', 'cafe'],
    ['Việt Nam', 'viet', 'Việt'],
    ['Łódź Ærø Đà', 'lodz aero da', 'Łódź', 'Ærø', 'Đà'],
    ['μέρα ΣΊΣΥΦΟΣ', 'μερα σίσυφος', 'μέρα', 'ΣΊΣΥΦΟΣ'],
  ],
  German: [
    ['Straße', 'STRASSE', 'Straße'],
    ['STRASSE', 'straße', 'STRASSE'],
    ['GROẞ', 'groß', 'GROẞ'],
  ],
  Turkish: [
    ['İstanbul', 'istanbul', 'İstanbul'],
    ['ISPARTA', 'ısparta', 'ISPARTA'],
    ['ılık', 'ILIK', 'ılık'],
  ],
  Cyrillic: [
    ['Ещё ЁЛКА', 'еще елка', 'Ещё', 'ЁЛКА'],
    ['еще', 'ещё', 'еще'],
    ['мои', 'мой'],
    ['за\u0301мок', 'замок', 'за\u0301мок'],
  ],
  Arabic: [
    ['قال مُحَمَّد', 'محمد', 'مُحَمَّد'],
    ['قال محمد', 'مُحَمَّد', 'محمد'],
    ['محـــمد أحمد', 'محمد احمد', 'محـــمد', 'أحمد'],
    ['می\u200cخواهم', 'میخواهم', 'می\u200cخواهم'],
  ],
  Hebrew: [
    ['שָׁלוֹם עולם', 'שלום', 'שָׁלוֹם'],
    ['שלום', 'שָׁלוֹם', 'שלום'],
  ],
  'hostile values': [
    ['東京', '＂東京', '東京'],
    ['東京', '東京＂ OR ＂'],
    ['東京', '東京*', '東京'],
    ['東京', '（東京）', '東京'],
    ['東京', '\u0301東京', '東京'],
    ['東京', '　'],
    ['東京', '。、'],
    ['ﷺ', 'ﷺ', 'ﷺ'],
    [`z${'\u0301\u0323'.repeat(20)}`, 'z', `z${'\u0301\u0323'.repeat(20)}`],
    ['の'.repeat(300), 'の'.repeat(50), 'の'.repeat(300)],
    ['の '.repeat(30), 'の '.repeat(500), ...'の'.repeat(30)],
  ],
}

for (const [language, cases] of Object.entries(rows)) {
  describe(language, () => {
    for (const [text, searched, ...marked] of cases) {
      const title = (part: string) => part.slice(0, 30)
      test(`${title(text)}: ${title(searched)}`, async () => {
        const isTopic = text.length <= 60 && nameFault(text) === undefined
        const ids = [
          await say(text),
          await say('x', isTopic ? text : 'no topic'),
          await say('other'),
        ]
        const [inText = 0, inTopic = 0] = ids
        const isFound = marked.length > 0
        const found = (await find(search(searched))).filter(({ id }) => ids.includes(id))
        const expected = isTopic ? [inText, inTopic] : [inText]
        assert.deepEqual(
          found.map(({ id }) => id),
          isFound ? expected : [],
        )
        for (const { id, match_content, match_subject } of found) {
          const html = id === inText ? match_content : match_subject
          const parts = html.matchAll(/<span class="highlight">(.*?)<\/span>/gs)
          assert.deepEqual(
            Array.from(parts, ([, part]) => part),
            id === inText ? marked : marked.map(tidyName),
          )
        }
        const without = (await find(search(searched, true))).map(({ id }) => id)
        for (const id of ids) {
          assert.equal(without.includes(id), !found.some((one) => one.id === id))
          if (searched.length > 20) continue
          assert.equal(matchesLive(id, search(searched)), !without.includes(id))
          assert.equal(matchesLive(id, search(searched, true)), without.includes(id))
        }
      })
    }
  })
}

test('a search has at most 50 words, or characters of a script without spaces', async () => {
  for (const searched of ['の'.repeat(51), `"${'a '.repeat(51)}"`]) {
    const reply = await server.as('member').get('/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: search(searched),
    })
    assert.deepEqual([reply.code, reply.desc], ['BAD_NARROW', 'more than 50 words to search for'])
  }
})
