import { Pencil, X } from 'lucide'
import { useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { longerMarks } from '#shared/code-marks.ts'
import { SourceView } from './source-view.tsx'
import { type QuotePart, quotesIn } from './text-parts.ts'

interface QuoteCardsProps {
  readonly text: string
  /** Replaces a quote of the text; an empty one removes it. */
  readonly onReplace: (source: string, by: string) => void
}

/** The quotes at the start of a text, each as the message that it quotes. */
export function QuoteCards({ text, onReplace }: QuoteCardsProps) {
  const { quotes } = quotesIn(text)
  return (
    <ul class="quote-cards" aria-label={t('Quotes')}>
      {quotes.map((quote, i) => (
        <QuoteCard key={i} quote={quote} onReplace={(by) => onReplace(quote.source, by)} />
      ))}
    </ul>
  )
}

interface QuoteCardProps {
  readonly quote: QuotePart
  readonly onReplace: (by: string) => void
}

function QuoteCard({ quote, onReplace }: QuoteCardProps) {
  const { store } = useApp()
  const [isEdited, setEdited] = useState(false)
  const { senderName, senderId, content, line } = quote
  const user = senderId === undefined ? undefined : store.users.get(senderId)
  const name = user?.name ?? senderName

  function write(next: string): void {
    const marks = longerMarks(next, 3)
    onReplace(`${line}\n${marks}quote\n${next}\n${marks}\n`)
  }

  return (
    <li class="quote-card">
      {user && <Avatar user={user} size={20} />}
      <strong class="ellipsis">{name}</strong>
      <span class="quote-acts">
        <IconButton
          label={t('Edit the quote of {name}', { name })}
          icon={Pencil}
          size={14}
          aria-pressed={isEdited}
          onClick={() => setEdited(!isEdited)}
        />
        <IconButton
          label={t('Remove the quote of {name}', { name })}
          icon={X}
          size={14}
          onClick={() => onReplace('')}
        />
      </span>
      {isEdited ? (
        <textarea
          class="input quote-text"
          aria-label={t('Quote of {name}', { name })}
          dir="auto"
          value={content}
          onInput={({ currentTarget }) => write(currentTarget.value)}
        />
      ) : (
        <SourceView source={content} />
      )}
    </li>
  )
}
