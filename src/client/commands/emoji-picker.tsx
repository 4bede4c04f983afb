import { useEffect, useMemo, useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import type { Emoji } from '#client/state/model.ts'
import {
  frequentEmoji,
  matchedName,
  type NamedEmoji,
  popularCodes,
  searchEmoji,
} from '#client/ui/emoji-search.ts'
import { useListbox } from '#client/ui/listbox.ts'
import type { Box } from '#client/ui/place.ts'
import { Popover } from '#client/ui/popover.tsx'
import { t } from '#client/ui/t.ts'
import { texts } from '#translations/translate.ts'
import { problemOf } from './attempt.ts'
import { allEmoji } from './emoji-catalogue.ts'
import { type EmojiGroup, groupsOf } from './emoji-groups.ts'
import { countUse, emojiKey, usesOf } from './reactions.ts'
import { chooseTone, chosenTone, skinTones, toned } from './skin-tones.ts'

export interface EmojiPickerProps {
  readonly app: App
  readonly anchor: Box
  /** @param text the characters in the chosen skin tone, for texts, if there is one */
  readonly onPick: (emoji: Emoji, text: string | undefined) => void
  /** Whether the emoji goes into a text, which can have skin tones. */
  readonly isForText?: boolean
  readonly onClose: () => void
}

const isTouch = () => matchMedia('(pointer: coarse)').matches
/** Fingers need wider ones. */
const columns = isTouch() ? 8 : 9
const mostFound = columns * 12

/** A grid of emoji in groups, with a search; the most used ones come first. */
export function EmojiPicker({ app, anchor, onPick, isForText, onClose }: EmojiPickerProps) {
  const { all, problem } = useAllEmoji(app)
  const [query, setQuery] = useState('')
  const [tone, setTone] = useState(isForText ? chosenTone() : 0)

  const groups = useMemo(() => allGroups(app, all), [app, all])
  const found = useMemo(() => foundBy(query, all), [all, query])
  const shown = useMemo(() => found ?? groups.flatMap(({ emoji }) => emoji), [found, groups])
  const { list, selected, select, press } = useListbox({
    count: shown.length,
    columns,
    isInText: found !== undefined,
    onPick: (index, { shiftKey }) => {
      const emoji = shown[index]
      if (emoji) pick(emoji, shiftKey)
    },
  })
  const current = shown[selected]

  function type(next: string): void {
    setQuery(next)
    select(0)
  }

  function pick(emoji: NamedEmoji, keepsOpen: boolean): void {
    countUse(emoji)
    // Closed first, so that the focus is back before the emoji is inserted.
    if (!keepsOpen) onClose()
    onPick(emoji, emoji.text && toned(emoji.text, tone))
  }

  const choices = { tone, selected, onSelect: select, onPick: pick }
  return (
    <Popover
      anchor={anchor}
      placement={isForText ? 'top-start' : 'top-end'}
      label={t('Emoji')}
      class="stack emoji-picker"
      onClose={onClose}
    >
      <input
        class="input"
        type="search"
        aria-label={t('Find an emoji')}
        placeholder={t('Find an emoji')}
        // On touch screens the keyboard would cover the choices.
        autofocus={!isTouch()}
        value={query}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={press}
      />
      {!found && <Tabs groups={groups} grid={list} onSelect={select} />}
      {problem && <p class="field-problem">{problem}</p>}
      {found?.length === 0 && <NoEmoji />}
      <div
        ref={list}
        class="emoji-grid"
        hidden={found?.length === 0}
        style={`--columns: ${columns}`}
        role="listbox"
        aria-label={t('Emoji')}
        tabIndex={-1}
        autofocus={isTouch()}
      >
        {found ? (
          <div class="emoji-group-choices">
            <EmojiChoices {...choices} emoji={found} from={0} />
          </div>
        ) : (
          <EmojiGroups {...choices} groups={groups} />
        )}
      </div>
      <PickerFoot
        name={current && nameText(current, query)}
        tone={isForText ? tone : undefined}
        onTone={setTone}
      />
    </Popover>
  )
}

interface PickerFootProps {
  /** The name of the selected emoji. */
  readonly name: string | undefined
  /** Undefined where skin tones have no effect. */
  readonly tone: number | undefined
  readonly onTone: (tone: number) => void
}

function PickerFoot({ name, tone, onTone }: PickerFootProps) {
  return (
    <div class="row emoji-foot">
      <p class="emoji-name ellipsis" aria-hidden="true">
        {name}
      </p>
      {tone !== undefined && <SkinTones tone={tone} onTone={onTone} />}
    </div>
  )
}

function NoEmoji() {
  return (
    <p class="center emoji-none" role="status">
      {t('No emoji matches.')}
    </p>
  )
}

interface ChoicesProps {
  /** The skin tone. */
  readonly tone: number
  /** The index of the selected one, among all. */
  readonly selected: number
  readonly onSelect: (index: number) => void
  readonly onPick: (emoji: NamedEmoji, keepsOpen: boolean) => void
}

interface EmojiChoicesProps extends ChoicesProps {
  readonly emoji: readonly NamedEmoji[]
  /** The index of the first of them, among all. */
  readonly from: number
}

function EmojiChoices({ emoji, from, tone, selected, onSelect, onPick }: EmojiChoicesProps) {
  return (
    <>
      {emoji.map((each, i) => (
        <button
          key={emojiKey(each)}
          type="button"
          class="center emoji-choice"
          role="option"
          tabIndex={-1}
          aria-selected={from + i === selected}
          aria-label={each.name}
          title={`:${each.name}:`}
          onPointerMove={() => onSelect(from + i)}
          onClick={(event) => onPick(each, event.shiftKey)}
        >
          {each.url ? (
            <img loading="lazy" alt="" src={each.url} />
          ) : (
            (each.text && toned(each.text, tone)) || each.text
          )}
        </button>
      ))}
    </>
  )
}

function EmojiGroups({
  groups,
  ...rest
}: ChoicesProps & { readonly groups: readonly EmojiGroup[] }) {
  let at = 0
  return (
    <>
      {groups.map(({ id, name, emoji }) => {
        const from = at
        at += emoji.length
        return (
          <fieldset
            key={id}
            class="emoji-group"
            aria-label={name}
            style={`--rows: ${Math.ceil(emoji.length / columns)}`}
          >
            <h3 class="emoji-group-name">{name}</h3>
            <div class="emoji-group-choices">
              <EmojiChoices {...rest} emoji={emoji} from={from} />
            </div>
          </fieldset>
        )
      })}
    </>
  )
}

interface SkinTonesProps {
  readonly tone: number
  readonly onTone: (tone: number) => void
}

function SkinTones({ tone, onTone }: SkinTonesProps) {
  return (
    <fieldset class="emoji-tones" aria-label={t('Skin tone')}>
      {skinTones.map((_, index) => (
        <button
          key={index}
          type="button"
          class="center grow emoji-tone"
          aria-pressed={index === tone}
          aria-label={t(toneNames[index] ?? toneNames[0])}
          title={t(toneNames[index] ?? toneNames[0])}
          onClick={() => {
            chooseTone(index)
            onTone(index)
          }}
        >
          {toned('✋', index) ?? '✋'}
        </button>
      ))}
    </fieldset>
  )
}

const toneNames = texts([
  'No skin tone',
  'Light skin tone',
  'Medium-light skin tone',
  'Medium skin tone',
  'Medium-dark skin tone',
  'Dark skin tone',
])

/** All emoji, once they are loaded. */
function useAllEmoji(app: App) {
  const [all, setAll] = useState<readonly NamedEmoji[]>([])
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    allEmoji(app).then(setAll, (error: unknown) => setProblem(problemOf(error)))
  }, [app])
  return { all, problem }
}

/** The best matches; undefined without a query. */
function foundBy(query: string, all: readonly NamedEmoji[]): readonly NamedEmoji[] | undefined {
  if (query.trim() === '') return undefined
  return searchEmoji(all, query, { uses: usesOf(), limit: mostFound })
}

/** The name that is sent, and the other name that matched. */
function nameText(emoji: NamedEmoji, query: string): string {
  const matched = matchedName(emoji, query)
  return matched === emoji.name ? `:${emoji.name}:` : `:${emoji.name}: · ${matched}`
}

interface TabsProps {
  readonly groups: readonly EmojiGroup[]
  readonly grid: { readonly current: HTMLDivElement | null }
  /** @param index of the first emoji of a group, among all */
  readonly onSelect: (index: number) => void
}

/** Leads to the groups, and shows which one is in sight. */
function Tabs({ groups, grid, onSelect }: TabsProps) {
  const [inSight, setInSight] = useState(0)
  useEffect(() => {
    const box = grid.current
    if (!box) return
    const look = () => {
      const tops = [...box.children].map((group) => (group as HTMLElement).offsetTop)
      const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 1
      const last = isAtEnd ? tops.length - 1 : tops.findLastIndex((top) => top <= box.scrollTop + 1)
      setInSight(Math.max(0, last))
    }
    box.addEventListener('scroll', look, { passive: true })
    return () => box.removeEventListener('scroll', look)
  }, [grid])

  let from = 0
  return (
    <div class="emoji-tabs" role="toolbar" aria-label={t('Groups')}>
      {groups.map(({ id, name, glyph, emoji }, index) => {
        const first = from
        from += emoji.length
        return (
          <button
            key={id}
            type="button"
            class="center grow emoji-tab"
            aria-label={name}
            aria-current={index === inSight ? 'true' : undefined}
            title={name}
            // The search field keeps the focus, so that arrows go on from here.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              onSelect(first)
              const group = grid.current?.children[index]
              if (grid.current && group instanceof HTMLElement) {
                grid.current.scrollTop = group.offsetTop
              }
            }}
          >
            {glyph}
          </button>
        )
      })}
    </div>
  )
}

/** The most used ones, the organization's own, then those of Unicode. */
function allGroups({ store }: App, all: readonly NamedEmoji[]): readonly EmojiGroup[] {
  if (all.length === 0) return []
  const custom = all.filter(({ type }) => type !== 'unicode_emoji')
  const unicode = all.filter(({ type }) => type === 'unicode_emoji')
  const own = { id: 'own', name: store.realm.peek().realm_name, glyph: '⭐', emoji: custom }
  return [
    { id: 'often', name: t('Frequently used'), glyph: '🕘', emoji: frequentOf(all) },
    ...(custom.length > 0 ? [own] : []),
    ...groupsOf(unicode),
  ]
}

/** One or two rows of the emoji that this user uses most, filled up with popular ones. */
function frequentOf(all: readonly NamedEmoji[]): readonly NamedEmoji[] {
  const often = frequentEmoji(all, usesOf(), 2 * columns)
  const rest = popularCodes
    .map((code) => all.find((emoji) => emoji.type === 'unicode_emoji' && emoji.code === code))
    .filter((emoji) => emoji !== undefined)
    .filter((emoji) => !often.includes(emoji))
  const count = often.length > columns ? 2 * columns : columns
  return [...often, ...rest].slice(0, count)
}
