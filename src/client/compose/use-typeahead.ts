import { AtSign, Clock, Hash, Lock, MessagesSquare, Slash, Users } from 'lucide'
import { type ComponentChildren, h, type RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { allEmoji } from '#client/commands/emoji-catalogue.ts'
import { usesOf } from '#client/commands/reactions.ts'
import { openLazy } from '#client/commands/surfaces.tsx'
import { learnTopics } from '#client/lists/topics.ts'
import { StatusEmoji } from '#client/messages/reactions.tsx'
import type { ComposeTarget } from '#client/state/compose-target.ts'
import { plainDescription, topicName } from '#client/state/names.ts'
import { afterPaint } from '#client/ui/after-paint.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { momentText } from '#client/ui/dates.ts'
import type { NamedEmoji } from '#client/ui/emoji-search.ts'
import { Icon, type IconNode } from '#client/ui/icon.tsx'
import { movedSelection } from '#client/ui/listbox.ts'
import { serverNow } from '#client/ui/server-time.ts'
import { t } from '#client/ui/t.ts'
import { type Candidate, candidatesFor } from './candidates.ts'
import { type Completion, completionAt } from './completion.ts'
import { completionEdit } from './completion-edit.ts'
import type { SuggestionRow } from './suggestion-list.tsx'
import { editorOf } from './text-editor.ts'
import { insertion } from './text-edits.ts'

export interface Typeahead {
  /** The drawn suggestions. */
  readonly items: readonly SuggestionRow[]
  readonly selected: number
  /** Checks the text before the caret, once the typed text is painted. */
  update(): void
  /** Handles a key. @returns whether it was for the suggestions */
  press(key: string): boolean
  pick(index: number): void
  close(): void
}

interface Offer {
  readonly completion: Completion | undefined
  readonly candidates: readonly Candidate[]
  readonly selected: number
}

const nothing: Offer = { completion: undefined, candidates: [], selected: 0 }

let emoji: readonly NamedEmoji[] | undefined
const fetched = new Set<number>()

/** Fetches missing data, and checks again then. */
function load(app: App, { kind, channelId }: Completion, look: () => void): void {
  if (kind === 'emoji' && !emoji) {
    allEmoji(app).then(
      (all) => {
        emoji = all
        look()
      },
      // Nothing is offered then.
      () => undefined,
    )
  } else if (kind === 'topic' && channelId !== undefined && !fetched.has(channelId)) {
    fetched.add(channelId)
    learnTopics(app, channelId).then(look, () => fetched.delete(channelId))
  }
}

function candidatesOf(
  app: App,
  completion: Completion,
  target: ComposeTarget,
): readonly Candidate[] {
  return candidatesFor(completion, {
    store: app.store,
    target,
    emoji: emoji ?? [],
    emojiUses: usesOf(),
    now: serverNow(),
  })
}

/** Suggests people, channels, emoji and the like while someone types in a text area. */
export function useTypeahead(
  app: App,
  area: RefObject<HTMLTextAreaElement | null>,
  target: ComposeTarget,
): Typeahead {
  const [drawn, setDrawn] = useState<Offer>(nothing)
  /** The suggestions for the next key, which may come before they are drawn. */
  const offer = useRef<Offer>(nothing)
  /** Ends the wait for the paint. */
  const cancel = useRef<(() => void) | undefined>(undefined)
  const latest = useRef(target)
  latest.current = target
  useEffect(() => () => cancel.current?.(), [])

  function show(next: Offer): void {
    offer.current = next
    setDrawn(next)
  }

  function update(): void {
    cancel.current ??= afterPaint(look)
  }

  /** Looks now, if that is due. */
  function settle(): void {
    if (cancel.current) look()
  }

  function look(): void {
    cancel.current?.()
    cancel.current = undefined
    const box = area.current
    if (!box) return
    const isCaret = box.selectionStart === box.selectionEnd
    const completion = isCaret ? completionAt(box.value, box.selectionStart, app.store) : undefined
    if (completion) load(app, completion, look)
    const candidates = completion ? candidatesOf(app, completion, latest.current) : []
    show(completion && candidates.length > 0 ? { completion, candidates, selected: 0 } : nothing)
  }

  function close(): void {
    cancel.current?.()
    cancel.current = undefined
    if (offer.current !== nothing) show(nothing)
  }

  function pick(index: number): void {
    settle()
    const { completion, candidates } = offer.current
    const box = area.current
    const candidate = candidates[index]
    if (!box || !completion || !candidate) return
    close()
    const edit = completionEdit(completion, candidate, app.store)
    if (edit) editorOf(box).edit(edit)
    else {
      const onPick = replacing(box, completion)
      void openLazy(app, async () => (await import('./time-dialog.tsx')).TimeDialog, { onPick })
    }
  }

  function press(key: string): boolean {
    if (!keys.includes(key)) return false
    settle()
    const { candidates, selected } = offer.current
    if (candidates.length === 0) return false
    const moved = movedSelection(key, { selected, count: candidates.length })
    if (moved !== undefined) show({ ...offer.current, selected: moved })
    else if (key === 'Escape') close()
    else pick(selected)
    return true
  }

  const items = drawn.candidates.map((candidate) => shown(app, candidate))
  return { items, selected: drawn.selected, update, press, pick, close }
}

/** What is typed stays until there is something to replace it. */
function replacing(box: HTMLTextAreaElement, { start, end }: Completion): (by: string) => void {
  const typed = box.value.slice(start, end)
  return (by) => {
    editorOf(box).change((selected) => {
      const isThere = selected.text.slice(start, end) === typed
      return insertion(isThere ? { ...selected, start, end } : selected, by)
    })
  }
}

/** The keys that choose among what is offered. */
const keys: readonly string[] = ['ArrowUp', 'ArrowDown', 'Enter', 'Tab', 'Escape']

function shown(app: App, candidate: Candidate): SuggestionRow {
  const icon = (node: IconNode): ComponentChildren => h(Icon, { node, size: 16 })
  switch (candidate.kind) {
    case 'person': {
      const { user } = candidate
      return {
        key: `person:${user.id}`,
        label: user.name,
        detail: user.deliveryEmail ?? undefined,
        picture: h(Avatar, { user, size: 20 }),
        mark: h(StatusEmoji, { userId: user.id }),
      }
    }
    case 'group': {
      const { id, name, description } = candidate.group
      return { key: `group:${id}`, label: name, detail: description, picture: icon(Users) }
    }
    case 'wildcard': {
      const { name, description } = candidate
      return { key: `wildcard:${name}`, label: name, detail: description, picture: icon(AtSign) }
    }
    case 'channel': {
      const { id, name, isPrivate } = candidate.channel
      const picture = icon(isPrivate ? Lock : Hash)
      const detail = plainDescription(candidate.channel)
      return { key: `channel:${id}`, label: name, detail, picture }
    }
    case 'topic': {
      const { channel, topic, isNew } = candidate
      return {
        key: `topic:${topic}`,
        label: topicName(topic, app.store),
        detail: isNew
          ? t('New topic in #{channel}', { channel: channel.name })
          : `#${channel.name}`,
        picture: icon(MessagesSquare),
      }
    }
    case 'emoji': {
      const { name, text, url } = candidate.emoji
      const picture = url
        ? h('img', { class: 'suggestion-emoji', src: url, alt: '' })
        : h('span', { class: 'suggestion-emoji', 'aria-hidden': 'true' }, text)
      const { matched } = candidate
      const detail = matched === name ? undefined : matched
      return { key: `emoji:${name}`, label: `:${name}:`, detail, picture }
    }
    case 'command': {
      const { name, description } = candidate
      return { key: name, label: `/${name}`, detail: description, picture: icon(Slash) }
    }
    case 'language':
      return { key: candidate.name, label: candidate.name }
    case 'time': {
      const { at, description } = candidate
      const detail = at === undefined ? undefined : momentText(at, app.store.settings.peek())
      return { key: description, label: description, detail, picture: icon(Clock) }
    }
  }
}
