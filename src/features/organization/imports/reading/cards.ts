import { escaped, lined, linkTo, marked, type Pieces } from './content.ts'

/** A card that an app has put below its text: Slack's attachments, whose form others have taken over. */
export interface Card {
  readonly pretext: string
  readonly author_name: string
  readonly author_link: string
  readonly title: string
  readonly title_link: string
  readonly text: string
  readonly fields: readonly { readonly title: string; readonly value: string }[]
  readonly image_url: string
  readonly footer: string
}

/**
 * All that people read on a card.
 *
 * @param markdown converts the texts in which marks are allowed
 */
export function cardText(card: Card, markdown: (text: string) => Pieces): Pieces {
  return lined([
    markdown(card.pretext),
    linked(card.author_name, card.author_link) ?? [escaped(card.author_name)],
    linked(card.title, card.title_link) ?? [marked(escaped(card.title), '**')],
    markdown(card.text),
    ...card.fields.map(({ title, value }) => [
      marked(escaped(title), '**'),
      title && ': ',
      ...markdown(value),
    ]),
    card.image_url ? [linkTo(card.image_url)] : [],
    [escaped(card.footer)],
  ])
}

const linked = (text: string, url: string): Pieces | undefined =>
  text && url ? [linkTo(url, text)] : undefined
