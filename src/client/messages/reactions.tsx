import { SmilePlus } from 'lucide'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { AddReaction } from '#client/commands/add-reaction.tsx'
import { toggleReaction } from '#client/commands/reactions.ts'
import type { Message, Reaction } from '#client/state/model.ts'
import { listText, t } from '#client/ui/t.ts'
import { emojiText } from '#shared/emoji-text.ts'

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
    <div class="reactions">
      {chips.map(({ reaction, userIds }) => {
        const isMine = userIds.includes(app.store.selfId)
        const names = namesOf(app, userIds)
        return (
          <button
            key={`${reaction.type}:${reaction.code}`}
            type="button"
            class="reaction"
            aria-pressed={isMine}
            aria-label={t('{emoji}, by {names}', { emoji: reaction.name, names })}
            title={t('{names} reacted with :{emoji}:', { names, emoji: reaction.name })}
            onClick={() => void toggleReaction(app, message.id, reaction)}
          >
            <EmojiGlyph emoji={reaction} />
            <span class="reaction-count">{showsNames ? names : userIds.length}</span>
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
export function EmojiGlyph({ emoji }: EmojiGlyphProps) {
  const app = useApp()
  if (emoji.type === 'unicode_emoji') {
    return (
      <span class="glyph" aria-hidden="true">
        {emojiText(emoji.code)}
      </span>
    )
  }
  const custom = app.store.customEmoji.get(emoji.name)
  const url = custom?.url
  if (!url) return <span aria-hidden="true">{`:${emoji.name}:`}</span>
  return <img class="glyph-picture" src={url} alt="" width={18} height={18} />
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
