import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Token } from 'parse5'
import { createMarkdownWriter } from '#platform/markdown/writer.ts'
import { createElementStack } from './html-elements.ts'

/** Elements without text for readers. */
const dropped = new Set(
  'script style title template noscript iframe object svg math select textarea'.split(' '),
)
/** Of longer mails the beginning is read, in UTF-16 code units. */
const longestHtml = 200_000
/** How much to read before others have their turn, in UTF-16 code units. */
const pieceLength = 16_384

/** What is special about HTML that is no mail. */
export interface HtmlOptions {
  /** Writes a text so that it says what it says, where it is not code. */
  readonly plain?: (text: string) => string
  /** The text for an element that stands for something else; undefined: it is an ordinary one. */
  readonly standsFor?: (tag: string, attribute: Attribute) => string | undefined
}

/**
 * The text of an HTML mail as Markdown. Pictures and everything that runs are left out.
 *
 * No tree is built: by the rules of HTML, a few kilobytes make a tree of millions of elements, as
 * each paragraph opens the formatting again that was open in the one before. What stands in elements
 * that end in another order than they began is therefore read in a simpler way than browsers do.
 *
 * @param includeQuotes whether the mail that this one answers stays
 */
export async function markdownOf(
  html: string,
  includeQuotes: boolean,
  { plain, standsFor = () => undefined }: HtmlOptions = {},
): Promise<string> {
  // It takes 15 ms to load, which most servers need not spend.
  const { Tokenizer, TokenizerMode } = await import('parse5')
  const writer = createMarkdownWriter(plain)
  const elements = createElementStack(writer)
  /** Whether everything that follows belongs to the mail that is answered. */
  let isOver = false

  function start(token: Token.TagToken): void {
    const { tagName } = token
    const mode = elements.isForeign() ? undefined : modes[tagName]
    if (mode) tokenizer.state = TokenizerMode[mode]
    const attribute = (name: string) => attributeOf(token, name)
    if (!includeQuotes && beginsOriginal(attribute)) isOver = true
    if (isOver) return
    const replacement = standsFor(tagName, attribute)
    if (replacement !== undefined) elements.text(replacement)
    const isMuted =
      replacement !== undefined ||
      dropped.has(tagName) ||
      isHidden(attribute) ||
      (!includeQuotes && isQuote(tagName, attribute))
    elements.start({ name: tagName, attribute, isMuted, isEmpty: token.selfClosing })
  }

  const text = ({ chars }: Token.CharacterToken) => {
    if (!isOver) elements.text(chars)
  }
  const nothing = () => {}
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag: start,
      onEndTag: ({ tagName }) => {
        if (!isOver) elements.end(tagName)
      },
      onCharacter: text,
      onWhitespaceCharacter: text,
      onNullCharacter: nothing,
      onComment: nothing,
      onDoctype: nothing,
      onEof: nothing,
    },
  )
  const wanted = html.slice(0, longestHtml)
  for (let at = 0; at < wanted.length && !isOver; at += pieceLength) {
    tokenizer.write(wanted.slice(at, at + pieceLength), at + pieceLength >= wanted.length)
    await nextTurn()
  }
  return writer.finish()
}

/** Elements whose contents are no markup. */
const modes: Readonly<Record<string, 'RCDATA' | 'RAWTEXT' | 'SCRIPT_DATA' | 'PLAINTEXT'>> = {
  title: 'RCDATA',
  textarea: 'RCDATA',
  style: 'RAWTEXT',
  xmp: 'RAWTEXT',
  iframe: 'RAWTEXT',
  noembed: 'RAWTEXT',
  noframes: 'RAWTEXT',
  noscript: 'RAWTEXT',
  script: 'SCRIPT_DATA',
  plaintext: 'PLAINTEXT',
}

type Attribute = (name: string) => string

function attributeOf(token: Token.TagToken, name: string): string {
  return token.attrs.find((each) => each.name === name)?.value ?? ''
}

function isHidden(attribute: Attribute): boolean {
  return /display\s*:\s*none/i.test(attribute('style'))
}

/** The mail that is answered, as Gmail, Apple Mail, Thunderbird and Yahoo mark it. */
function isQuote(tagName: string, attribute: Attribute): boolean {
  const classes = attribute('class').split(/\s+/)
  return (
    classes.some((name) =>
      /^(gmail_quote(_container)?|gmail_attr|moz-cite-prefix|yahoo_quoted)$/.test(name),
    ) ||
    (tagName === 'blockquote' && attribute('type') === 'cite')
  )
}

/** Where Outlook puts the mail that is answered. */
function beginsOriginal(attribute: Attribute): boolean {
  return /^(divRplyFwdMsg|appendonsend|x_divRplyFwdMsg|OLK_SRC_BODY_SECTION|reply-intro)$/.test(
    attribute('id'),
  )
}
