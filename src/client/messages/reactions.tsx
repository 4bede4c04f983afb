import { SmilePlus } from 'lucide'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { AddReaction } from '#client/commands/add-reaction.tsx'
import { toggleReaction } from '#client/commands/reactions.ts'
import type { Message, Reaction } from '#client/state/model.ts'
import { listText, t } from '#client/ui/t.ts'
import { emojiText, extraEmojiPath } from '#shared/emoji-text.ts'

/** One emoji, with the name of its first vote, and the voters. */
interface Votes {
  readonly reaction: Reaction
  readonly userIds: readonly number[]
}

/** The most names in a chip, if the user wants names at all. */
const namesInChip = 3

/** The reactions to a message, one chip an emoji, in the order in which they came. */
export function Reactions({ message }: { readonly message: Message }) {
  const app = useApp()
  if (message.reactions.length === 0) return null
  const chips = votesOf(message.reactions)
  // Names while there are few votes, as in the server's other clients.
  const showsNames =
    app.store.settings.value.display_emoji_reaction_users && message.reactions.length <= namesInChip
  return (
    <div class="cluster tight reactions">
      {chips.map(({ reaction, userIds }) => {
        const isMine = userIds.includes(app.store.selfId)
        const names = namesOf(app, userIds)
        return (
          <button
            key={`${reaction.type}:${reaction.code}`}
            type="button"
            class="row tight reaction"
            aria-pressed={isMine}
            aria-label={labelOf(reaction.name, names, showsNames ? undefined : userIds.length)}
            title={t('{names} reacted with :{emoji}:', { names, emoji: reaction.name })}
            onClick={() => void toggleReaction(app, message.id, reaction)}
          >
            <EmojiGlyph emoji={reaction} />
            <span class="ellipsis">{showsNames ? names : userIds.length}</span>
          </button>
        )
      })}
      <AddReaction messageId={message.id} icon={SmilePlus} class="reaction-add" />
    </div>
  )
}

interface EmojiGlyphProps {
  readonly emoji: Pick<Reaction, 'name' | 'code' | 'type'>
}

/** An emoji: the system's glyph, or the picture of a custom one. Says nothing by itself. */
export function EmojiGlyph({ emoji: { name, code, type } }: EmojiGlyphProps) {
  const { store } = useApp()
  if (type === 'unicode_emoji') {
    return (
      <span class="glyph" aria-hidden="true">
        {emojiText(code)}
      </span>
    )
  }
  const isOwn = type === 'realm_emoji'
  const url = isOwn ? store.realm.value.realm_emoji[code]?.source_url : extraEmojiPath
  if (!url) return <span aria-hidden="true">{`:${name}:`}</span>
  return <img class="glyph-picture" src={url} alt="" width={18} height={18} />
}

/** The emoji of someone's status, with its words where someone points at it; nothing without one. */
export function StatusEmoji({ userId }: { readonly userId: number }) {
  const status = useApp().store.statuses.get(userId)
  if (!status?.emojiCode) return null
  const { emojiName: name, emojiCode: code, reactionType: type, text } = status
  return (
    <span class="status-emoji" title={text || `:${name}:`}>
      <EmojiGlyph emoji={{ name, code, type }} />
    </span>
  )
}

/** It has what is to be seen of the chip, by which voice control finds it. */
function labelOf(emoji: string, names: string, count: number | undefined): string {
  return count === undefined
    ? t('{emoji}, by {names}', { emoji, names })
    : t('{emoji}, {count}, by {names}', { emoji, count, names })
}

/** The reactions to a message by emoji, in the order in which they came. */
export function votesOf(reactions: readonly Reaction[]): Votes[] {
  const chips = new Map<string, { reaction: Reaction; userIds: number[] }>()
  for (const reaction of reactions) {
    const key = `${reaction.type}:${reaction.code}`
    const chip = chips.get(key)
    if (chip) chip.userIds.push(reaction.userId)
    else chips.set(key, { reaction, userIds: [reaction.userId] })
  }
  return [...chips.values()]
}

function namesOf(app: App, userIds: readonly number[]): string {
  const { selfId, users } = app.store
  const names = userIds.map((id) =>
    id === selfId ? t('you') : (users.get(id)?.name ?? t('Unknown user')),
  )
  return listText(names, 'short')
}
