import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Token } from 'parse5'

/** A tag that begins an element. */
export interface StartTag {
  /** In lower case. */
  readonly name: string
  /** '' for an attribute that it does not have. */
  attribute(name: string): string
  /** Whether it ends with `/`. */
  readonly isEmpty: boolean
}

/** The parts of a document that are reported, in order. */
export interface HtmlReader {
  start(tag: StartTag): void
  end(name: string): void
  text(text: string): void
  /** Whether the place is in a picture or formula, where every tag is markup. */
  isForeign?(): boolean
  /** Whether the rest need not be read. */
  isOver(): boolean
}

/** How much to read before others have their turn, in UTF-16 code units. */
const pieceLength = 16_384

/**
 * Calls a reader for the tags and texts of untrusted HTML. No tree is built: by the rules of HTML,
 * a few kilobytes can make a tree of millions of elements, because each paragraph reopens the
 * formatting of the one before.
 *
 * @param html of a length that the caller limits
 */
export async function readHtml(html: string, reader: HtmlReader): Promise<void> {
  // It takes 15 ms to load, and most servers do not need it.
  const { Tokenizer, TokenizerMode } = await import('parse5')

  function start(token: Token.TagToken): void {
    const { tagName } = token
    const mode = reader.isForeign?.() ? undefined : modes[tagName]
    if (mode) tokenizer.state = TokenizerMode[mode]
    if (reader.isOver()) return
    const attribute = (name: string) => attributeOf(token, name)
    reader.start({ name: tagName, attribute, isEmpty: token.selfClosing })
  }

  const text = ({ chars }: Token.CharacterToken) => {
    if (!reader.isOver()) reader.text(chars)
  }
  const nothing = () => {}
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag: start,
      onEndTag: ({ tagName }) => {
        if (!reader.isOver()) reader.end(tagName)
      },
      onCharacter: text,
      onWhitespaceCharacter: text,
      onNullCharacter: nothing,
      onComment: nothing,
      onDoctype: nothing,
      onEof: nothing,
    },
  )
  for (let at = 0; at < html.length && !reader.isOver(); at += pieceLength) {
    tokenizer.write(html.slice(at, at + pieceLength), at + pieceLength >= html.length)
    await nextTurn()
  }
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

function attributeOf(token: Token.TagToken, name: string): string {
  return token.attrs.find((each) => each.name === name)?.value ?? ''
}
