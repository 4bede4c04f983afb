import { readHtml, type StartTag } from '#platform/html/reading.ts'
import { createMarkdownWriter } from '#shared/markdown-writer.ts'
import { createElementStack } from './html-elements.ts'

/** Elements without text for readers. */
const dropped = new Set(
  'script style title template noscript iframe object svg math select textarea'.split(' '),
)
/** How much of a mail is read, in UTF-16 code units. */
const longestHtml = 200_000

type Attribute = StartTag['attribute']

/** Options for HTML that is not mail. */
export interface HtmlOptions {
  /** Escapes a text outside code. */
  readonly plain?: (text: string) => string
  /** The text for a special element; undefined: it is an ordinary one. */
  readonly standsFor?: (tag: string, attribute: Attribute) => string | undefined
}

/**
 * The text of an HTML mail as Markdown. Pictures and scripts are left out. Wrongly nested elements
 * are read in a simpler way than in browsers.
 *
 * @param includeQuotes whether the mail that this one answers stays
 */
export async function markdownOf(
  html: string,
  includeQuotes: boolean,
  { plain, standsFor = () => undefined }: HtmlOptions = {},
): Promise<string> {
  const writer = createMarkdownWriter({ plain })
  const elements = createElementStack(writer)
  /** Whether the rest belongs to the mail that is answered. */
  let isOver = false

  function start({ name, attribute, isEmpty }: StartTag): void {
    if (!includeQuotes && beginsOriginal(attribute)) isOver = true
    if (isOver) return
    const replacement = standsFor(name, attribute)
    if (replacement !== undefined) elements.text(replacement)
    const isMuted =
      replacement !== undefined ||
      dropped.has(name) ||
      isHidden(attribute) ||
      (!includeQuotes && isQuote(name, attribute))
    elements.start({ name, attribute, isMuted, isEmpty })
  }

  await readHtml(html.slice(0, longestHtml), {
    start,
    end: elements.end,
    text: elements.text,
    isForeign: elements.isForeign,
    isOver: () => isOver,
  })
  return writer.finish()
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

/** The element that contains the answered mail in Outlook. */
function beginsOriginal(attribute: Attribute): boolean {
  return /^(divRplyFwdMsg|appendonsend|x_divRplyFwdMsg|OLK_SRC_BODY_SECTION|reply-intro)$/.test(
    attribute('id'),
  )
}
