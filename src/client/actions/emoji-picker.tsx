import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import type { Emoji } from '#client/state/model.ts'
import { frequentEmoji, type NamedEmoji, searchEmoji } from '#client/ui/emoji-search.ts'
import type { Box } from '#client/ui/place.ts'
import { Popover } from '#client/ui/popover.tsx'
import { t } from '#client/ui/t.ts'
import { problemOf } from './attempt.ts'
import { allEmoji } from './emoji-catalog.ts'
import { countUse, emojiKey, usesOf } from './reactions.ts'

interface EmojiPickerProps {
  readonly app: App
  readonly anchor: Box
  readonly onPick: (emoji: Emoji) => void
  readonly onClose: () => void
}

const columns = 9
/** Drawn at first, and then with every scroll to the end. */
const pageSize = columns * 12

const usual = ['1f44d', '1f389', '1f642', '2764', '1f6e0', '1f419', '1f680', '1f440', '1f64f']

/** A grid of emoji with a search; those used most come first. */
export function EmojiPicker({ app, anchor, onPick, onClose }: EmojiPickerProps) {
  const [all, setAll] = useState<readonly NamedEmoji[]>([])
  const [problem, setProblem] = useState<string>()
  const [query, setQuery] = useState('')
  const [selected, setSelected] = useState(0)
  const [drawn, setDrawn] = useState(pageSize)
  const field = useRef<HTMLInputElement>(null)
  const grid = useRef<HTMLDivElement>(null)

  useEffect(() => {
    allEmoji(app).then(setAll, (error: unknown) => setProblem(problemOf(error)))
  }, [app])

  const frequent = useMemo(() => frequentOf(all), [all])
  const isSearch = query.trim() !== ''
  const found = useMemo(() => {
    if (!isSearch) return [...frequent, ...all]
    return searchEmoji(all, query, { uses: usesOf(), limit: pageSize })
  }, [all, frequent, query])
  const shown = found.slice(0, drawn)
  const current = shown[selected]

  useEffect(() => {
    grid.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [selected])

  function pick(emoji: NamedEmoji, keepsOpen: boolean): void {
    countUse(emoji)
    // Closed first, so that the focus is back before what is picked uses it.
    if (!keepsOpen) onClose()
    onPick(emoji)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = steps[event.key]
    const isInText = isSearch && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
    if (step !== undefined && !(isInText && selected === 0)) {
      setSelected(Math.max(0, Math.min(selected + step, shown.length - 1)))
      event.preventDefault()
    } else if (event.key === 'Enter' && current) {
      event.preventDefault()
      pick(current, event.shiftKey)
    }
  }

  return (
    <Popover
      anchor={anchor}
      placement="top-end"
      label={t('Emoji')}
      class="emoji-picker"
      onClose={onClose}
    >
      <input
        class="input"
        type="search"
        aria-label={t('Find an emoji')}
        placeholder={t('Find an emoji')}
        ref={field}
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value)
          setSelected(0)
        }}
        onKeyDown={onKeyDown}
      />
      {problem && <p class="field-problem">{problem}</p>}
      <div
        ref={grid}
        class="emoji-grid"
        role="listbox"
        aria-label={t('Emoji')}
        tabIndex={-1}
        onScroll={(event) => {
          const { scrollTop, clientHeight, scrollHeight } = event.currentTarget
          if (scrollTop + 2 * clientHeight > scrollHeight) setDrawn(drawn + pageSize)
        }}
      >
        {shown.map((emoji, index) => (
          <button
            key={`${index < frequent.length && !isSearch ? 'often:' : ''}${emojiKey(emoji)}`}
            type="button"
            class="emoji-choice"
            role="option"
            tabIndex={-1}
            aria-selected={index === selected}
            aria-label={emoji.name}
            title={`:${emoji.name}:`}
            onPointerEnter={() => setSelected(index)}
            onClick={(event) => pick(emoji, event.shiftKey)}
          >
            {emoji.url ? <img loading="lazy" alt="" src={emoji.url} /> : emoji.text}
          </button>
        ))}
      </div>
      <p class="emoji-name ellipsis" aria-hidden="true">
        {current ? `:${current.name}:` : isSearch ? t('No emoji has this name.') : ''}
      </p>
    </Popover>
  )
}

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -columns,
  ArrowDown: columns,
}

/** One row or two of what this user takes most, filled with what people take mostly. */
function frequentOf(all: readonly NamedEmoji[]): readonly NamedEmoji[] {
  const often = frequentEmoji(all, usesOf(), 2 * columns)
  const rest = usual
    .map((code) => all.find((emoji) => emoji.type === 'unicode_emoji' && emoji.code === code))
    .filter((emoji) => emoji !== undefined && !often.includes(emoji))
    .filter((emoji) => emoji !== undefined)
  const count = often.length > columns ? 2 * columns : columns
  return [...often, ...rest].slice(0, count)
}
