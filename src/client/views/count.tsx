import { tn } from '#client/ui/t.ts'

interface CountProps {
  readonly count: number
  /** Whether the messages do not call for attention, for example because their channel is muted. */
  readonly isQuiet?: boolean
  readonly hasMention?: boolean
  /** Whether these are direct messages, or only mentions. */
  readonly isPersonal?: boolean
  /** The label, if the number is not of unread messages. */
  readonly label?: string
}

/** A number of unread messages; nothing for 0. */
export function Count({ count, isQuiet, hasMention, isPersonal, label }: CountProps) {
  if (count === 0) return null
  const loudness = isQuiet ? 'count-quiet' : hasMention || isPersonal ? 'count-loud' : ''
  return (
    <>
      {hasMention && (
        <span class="count-mention" aria-hidden="true">
          @
        </span>
      )}
      <span class={`count ${loudness}`}>
        <span aria-hidden="true">{count > 9999 ? '9999+' : count}</span>
        <span class="visually-hidden">
          {label ?? tn(count, 'one unread message', '{count} unread messages')}
        </span>
      </span>
    </>
  )
}
