import { Hash, Lock } from 'lucide'
import { h, type RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { allEmoji, type NamedEmoji } from '#client/actions/emoji-catalog.ts'
import type { App, ComposeTarget } from '#client/app.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Icon } from '#client/ui/icon.tsx'
import type { Shown } from './suggestion-list.tsx'
import { editorOf } from './text-editor.ts'
import { fetchTopics, knownTopics } from './topics.ts'
import { type Offer, offers, type Token, tokenAt } from './typeahead.ts'

export interface Typeahead {
  readonly items: readonly Shown[]
  readonly selected: number
  select(index: number): void
  pick(index: number): void
  /** Looks again at what stands before the caret. */
  update(): void
  close(): void
}

interface Found {
  readonly token: Token
  readonly offers: readonly Offer[]
}

let emoji: readonly NamedEmoji[] | undefined

/** Offers people, channels, emoji and the like for what is typed into a text area. */
export function useTypeahead(
  app: App,
  area: RefObject<HTMLTextAreaElement | null>,
  target: ComposeTarget,
): Typeahead {
  const [found, setFound] = useState<Found>()
  const [selected, setSelected] = useState(0)
  const latest = useRef(target)
  latest.current = target

  function update(): void {
    const box = area.current
    if (!box) return
    const token =
      box.selectionStart === box.selectionEnd ? tokenAt(box.value, box.selectionStart) : undefined
    if (token) load(token)
    const next = token && offersFor(token)
    setSelected(0)
    setFound(next && next.offers.length > 0 ? next : undefined)
  }

  function offersFor(token: Token): Found {
    const sources = { store: app.store, target: latest.current, emoji, topicsOf: knownTopics }
    return { token, offers: offers(token, sources) }
  }

  /** Fetches what is not here yet, and looks again then. */
  function load(token: Token): void {
    if (token.kind === 'emoji' && !emoji) {
      allEmoji(app).then(
        (all) => {
          emoji = all
          update()
        },
        // Nothing is offered then.
        () => undefined,
      )
    }
    if (token.kind !== 'topic') return
    for (const channel of app.store.channels.current.values()) {
      if (channel.name !== token.channel || knownTopics(channel.id)) continue
      void fetchTopics(app, channel.id).then(update)
    }
  }

  return {
    items: found?.offers.map(shown) ?? [],
    selected,
    select: setSelected,
    update,
    close: () => setFound(undefined),
    pick(index) {
      const box = area.current
      const offer = found?.offers[index]
      if (!box || !found || !offer) return
      const { from } = found.token
      const at = from + offer.insert.length
      editorOf(box).edit({
        from,
        to: box.selectionStart,
        insert: offer.insert,
        start: at,
        end: at,
      })
      setFound(undefined)
    },
  }
}

function shown({ key, label, detail, user, channel, glyph, pictureUrl }: Offer): Shown {
  return { key, label, detail, picture: pictureOf() }

  function pictureOf() {
    if (user) return h(Avatar, { user, size: 20 })
    if (channel) return h(Icon, { node: channel.isPrivate ? Lock : Hash, size: 14 })
    if (pictureUrl) return h('img', { class: 'suggestion-emoji', src: pictureUrl, alt: '' })
    return glyph && h('span', { class: 'suggestion-emoji', 'aria-hidden': 'true' }, glyph)
  }
}
