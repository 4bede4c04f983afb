import type { App } from '#client/app.ts'
import { attempt } from '#client/commands/attempt.ts'
import { quoteOf, sourceOf } from '#client/commands/quoting.ts'
import type { Message } from '#client/state/model.ts'
import { selectedRange } from './selected-range.ts'

/**
 * Quotes a message in an answer, or in another conversation: what is selected of it, and of the
 * others that are selected with it, or all of it.
 */
export async function quote(app: App, message: Message, forward = false): Promise<void> {
  // Before the box takes the focus.
  const text = await attempt(app, quotesOf(app, message, selectedRange()))
  if (text === undefined) return
  if (forward) {
    app.compose.open({ kind: 'topic', channelId: undefined, topic: '' }, { text: `${text}\n` })
    return
  }
  if (!app.compose.state.peek().isOpen) app.compose.open(message.conversation)
  app.compose.insert(text, { isBlock: true })
}

/** Answers a message with a quote; without a network, at least opens the box. */
export async function replyQuoting(app: App, message: Message): Promise<void> {
  const quoting = quote(app, message)
  // At once: phones show the keyboard only after a touch.
  app.compose.open(message.conversation)
  await quoting
}

async function quotesOf(app: App, message: Message, range: Range | undefined): Promise<string> {
  const whole = async (each: Message) => quoteOf(app, each, await sourceOf(app, each.id))
  if (!range) return whole(message)
  const [{ selectedParts }, { markdownOf }] = await Promise.all([
    import('./selected-parts.ts'),
    import('./copy-messages.ts'),
  ])
  const parts = selectedParts(app, range)
  if (!parts.some((part) => part.message.id === message.id)) return whole(message)
  const quotes = await Promise.all(
    parts.map((part) =>
      part.isWhole ? whole(part.message) : quoteOf(app, part.message, markdownOf(part)),
    ),
  )
  return quotes.join('\n')
}
