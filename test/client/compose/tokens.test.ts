import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { parse } from 'parse5'
import { tokensIn } from '#client/compose/tokens.ts'
import { goOnline } from '#test/client/online.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
await server.as('owner').post('/user_groups/create', {
  name: 'players',
  description: '',
  members: [server.ids.owner],
})
const { store } = await goOnline(server, 'member')

/** The texts of what the server makes of tokens, in order. */
async function rendered(content: string): Promise<string[]> {
  const { rendered: html } = await server
    .as('member')
    .post<{ rendered: string }>('/messages/render', { content })
  const found: string[] = []
  interface Node {
    readonly tagName?: string
    readonly attrs?: readonly { readonly name: string; readonly value: string }[]
    readonly childNodes?: readonly Node[]
    readonly value?: string
  }
  const textOf = (node: Node): string => node.value ?? (node.childNodes ?? []).map(textOf).join('')
  const visit = (node: Node): void => {
    const names = node.attrs?.find(({ name }) => name === 'class')?.value ?? ''
    if (
      /(?:^| )(?:(?:user|user-group|topic)-mention|stream|stream-topic|message-link)/.test(names)
    ) {
      found.push(textOf(node).replaceAll(' > ', ' › '))
    } else if (node.tagName === 'time') found.push('a time')
    else for (const child of node.childNodes ?? []) visit(child)
  }
  visit(parse(html) as unknown as Node)
  return found
}

const drawn = (text: string) =>
  tokensIn(text, store).map(({ from, to, label }) =>
    text.slice(from, to).startsWith('<time:') ? 'a time' : label,
  )

const names = ['@**King Hamlet**', '@_**King Hamlet**', '@**all**', '@*players*', '@_*players*']
const places = [
  '#**Denmark**',
  '#**Denmark>plans**',
  '#**Denmark>**',
  '<time:2026-12-01T10:00:00Z>',
]
const none = [
  '@**Nobody**',
  '@*nothing*',
  '#**Atlantis**',
  '<time:then>',
  '@**King Hamlet*',
  'a@**all**',
]
const around: readonly ((token: string) => string)[] = [
  (token) => `Hello ${token}, so`,
  (token) => `\`${token}\` and ${token}`,
  (token) => `\`\` a \`${token} \`\``,
  (token) => `\`\`\`\n${token}\n\`\`\``,
  (token) => `~~~js\n${token}`,
  (token) => `> ${token}\n\n- ${token}`,
  (token) => `**${token}** *and*`,
  (token) => `Words\n${token}`,
  (token) => `Words\n\n    ${token}`,
  (token) => `(${token})`,
  (token) => `$$a$$ ${token}`,
  (token) => `${token}${token}`,
]

describe('what is drawn over the text', () => {
  for (const token of [...names, ...places, ...none]) {
    test(`for ${token} is what the server makes of it, wherever it stands`, async () => {
      for (const put of around) {
        const text = put(token)
        const made = await rendered(text)
        // A quote shows mentions as silent ones, without the mark.
        const bare = (labels: readonly string[]) =>
          text.startsWith('>') ? labels.map((label) => label.replace(/^@/, '')) : labels
        assert.deepEqual(bare(drawn(text)), bare(made), text)
      }
    })
  }

  test('lies where its source is, and never over another', () => {
    const part = fc.constantFrom(
      ...names,
      ...places,
      ...none,
      '`',
      '**',
      '\n',
      '\n\n',
      ' ',
      '[',
      '](',
      ')',
      '\\\\',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (all) => {
        const text = all.join('')
        let last = 0
        for (const { from, to } of tokensIn(text, store)) {
          assert.ok(from >= last && to > from)
          assert.match(text.slice(from, to), /^(?:@_?\*|#\*\*|<time:).*[*>]$/)
          last = to
        }
      }),
      { numRuns: 1000 },
    )
  })
})
