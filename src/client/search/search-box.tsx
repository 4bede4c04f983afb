import { Calendar, Clock, Hash, MessagesSquare, Search, SlidersHorizontal, X } from 'lucide'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { askedSearch, searchCovers } from '#client/commands/ask-search.ts'
import { SuggestionList, type SuggestionRow } from '#client/compose/suggestion-list.tsx'
import type { Narrow, Term } from '#client/narrow/narrow.ts'
import { parseSearch, searchTextOf, termText, viewOfSearch } from '#client/narrow/search.ts'
import type { Store } from '#client/state/store.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { IconButton } from '#client/ui/button.tsx'
import { isFinishing } from '#client/ui/finishing.ts'
import { Icon } from '#client/ui/icon.tsx'
import { useLayer } from '#client/ui/layers.ts'
import { useListbox } from '#client/ui/listbox.ts'
import { phoneQuery } from '#client/ui/phone.ts'
import { t } from '#client/ui/t.ts'
import { openSwitcher } from './open-switcher.ts'
import { describing, suggesting } from './parts.ts'
import { recentSearches, rememberSearch } from './recent-searches.ts'
import type { Suggestion } from './suggestions.ts'
import { useTopicsAhead } from './use-topics-ahead.ts'
import { useVisits } from './visits.ts'

/** What opens the switcher, as it is written on the keyboard. */
const switcherKeys = /^(Mac|iP)/.test(navigator.platform) ? '⌘K' : 'Ctrl K'

/** The search of messages. It shows the current search as pills until someone types in it. */
export function SearchBox() {
  const app = useApp()
  const { store, router } = app
  const view = router.view.value
  useVisits(view)
  const narrow = view.kind === 'messages' ? view.narrow : undefined
  const terms = narrow?.kind === 'search' ? narrow.terms : []
  const input = useRef<HTMLInputElement>(null)
  const search = useSearchText(narrow, input)
  const { text, isOpen, suggestions, listbox } = search
  useCovering(search)
  return (
    <search class="search">
      <div class="row tight search-box">
        <Icon node={Search} size={16} />
        {!isOpen && <SearchPills terms={terms} />}
        <input
          ref={input}
          class="search-input"
          type="text"
          inputMode="search"
          {...listbox.field}
          aria-label={t('Search')}
          placeholder={terms.length > 0 ? '' : t('Search')}
          value={text}
          onFocus={search.open}
          onClick={search.open}
          onBlur={search.close}
          onInput={(event) => search.type(event.currentTarget.value)}
          onKeyDown={(event) => pressSearchKey(event, search)}
        />
        {terms.length === 0 && !isOpen && <SwitcherHint />}
        {terms.length > 0 && !isOpen && (
          <IconButton
            label={t('Clear search')}
            icon={X}
            size={14}
            onClick={() => router.go({ kind: 'messages', narrow: { kind: 'all' } })}
          />
        )}
      </div>
      {suggestions.length > 0 && (
        <SuggestionList
          id={listbox.id}
          label={t('Search suggestions')}
          items={suggestions.map((each) => shown(each, store))}
          selected={listbox.selected}
          onPick={search.pick}
        />
      )}
    </search>
  )
}

type SearchText = ReturnType<typeof useSearchText>

/** The text that someone types into the search, with its suggestions. */
function useSearchText(narrow: Narrow | undefined, input: RefObject<HTMLInputElement | null>) {
  const app = useApp()
  const { store, router } = app
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const chosen = isOpen ? parseSearch(text, store).terms : []
  const place = chosen.find(({ operator, negated }) => operator === 'channel' && !negated)?.operand
  // Reads what is known, again when there is more of it.
  useTopicsAhead(app, isOpen, typeof place === 'number' ? place : undefined)
  const suggest = suggesting.value?.suggest
  const suggestions = isOpen && suggest ? suggest(text, { store, recent: recentSearches() }) : []
  const listbox = useListbox({ count: suggestions.length, onPick: (index) => pick(index) })

  // At once, as what is typed from now on is for what comes.
  useLayoutEffect(() => {
    setOpen(false)
    setText('')
  }, [narrow])

  const asked = askedSearch.value
  // Before the next key, which belongs to the search already.
  useLayoutEffect(() => {
    if (!asked) return
    focusField(input.current)
    if (asked.text !== undefined) type(asked.text)
    askedSearch.value = undefined
  }, [asked])

  function run(query: string): void {
    const search = parseSearch(query, store)
    if (search.terms.length === 0 && search.near === undefined) return
    rememberSearch(query.trim())
    leave()
    router.go(viewOfSearch(search, store.selfId))
  }

  function write(next: string): void {
    setText(next)
    listbox.select(0)
  }

  function pick(index: number): void {
    const suggestion = suggestions[index]
    if (!suggestion) return
    // An operator alone is only the beginning.
    if (suggestion.search) run(suggestion.text)
    else write(suggestion.text)
  }

  function type(next: string): void {
    setOpen(true)
    write(next)
  }

  function leave(): void {
    setOpen(false)
    setText('')
    input.current?.blur()
  }

  /** Begins with the current search, to change it. */
  function open(): void {
    if (isOpen) return
    suggesting.preload()
    type(editable(narrow, store))
  }

  const close = () => setOpen(false)
  return { text, isOpen, suggestions, listbox, run, pick, write, type, open, close, leave }
}

/** Where the search lies over the view, Back closes it, and what it covers is out of reach. */
function useCovering({ isOpen, leave }: SearchText): void {
  const isOver = isOpen && matchMedia(phoneQuery).matches
  useLayer(leave, isOver)
  useLayoutEffect(() => {
    searchCovers.value = isOver
  }, [isOver])
}

/** A phone hides the bar until the focus is in it, and what is hidden takes none. */
function focusField(field: HTMLInputElement | null): void {
  const bar = field?.closest('.top')
  bar?.setAttribute('data-asked', '')
  field?.focus()
  bar?.removeAttribute('data-asked')
}

function pressSearchKey(event: KeyboardEvent, search: SearchText): void {
  const { text, suggestions, listbox } = search
  if (isFinishing(event) || listbox.press(event)) return
  // Where there is nothing to complete, Tab leads out.
  const completion = text === '' ? '' : (suggestions[listbox.selected]?.text ?? text)
  if (event.key === 'Enter') search.run(text)
  else if (event.key === 'Tab' && !event.shiftKey && completion !== text) {
    search.write(completion)
  } else if (event.key === ',' && /\s$/.test(text) && /(^|\s)-?dm(-including)?:\S/.test(text)) {
    // The next person of the conversation, after one that was completed with a space.
    search.write(`${text.trimEnd()},`)
  } else if (event.key === 'Escape') {
    event.stopPropagation()
    search.leave()
  } else return
  event.preventDefault()
}

/** The filters of the current search. */
function SearchPills({ terms }: { readonly terms: readonly Term[] }) {
  const { store, router } = useApp()
  const runTerms = (left: readonly Term[]) =>
    router.go(viewOfSearch({ terms: left, near: undefined }, store.selfId))
  return (
    <>
      {terms.map((term) => (
        <span key={termText(term, store)} class="row tight pill search-pill">
          <span class="ellipsis" title={describing.value?.describeTerm(term, store)}>
            {termText(term, store)}
          </span>
          <button
            type="button"
            aria-label={t('Remove {filter}', { filter: termText(term, store) })}
            onClick={() => runTerms(terms.filter((each) => each !== term))}
          >
            <Icon node={X} size={12} />
          </button>
        </span>
      ))}
    </>
  )
}

function SwitcherHint() {
  const app = useApp()
  const switcherLabel = `${t('Jump to a person, channel, topic or setting')}: ${switcherKeys}`
  return (
    // Where keys lead there is a keyboard, and Tab goes on to the view.
    <button
      type="button"
      class="search-hint"
      tabIndex={-1}
      aria-label={switcherLabel}
      title={switcherLabel}
      onClick={() => openSwitcher(app)}
    >
      <kbd>{switcherKeys}</kbd>
    </button>
  )
}

/**
 * The text of the current search, to continue it, or of the shown conversation, to search in it.
 */
function editable(narrow: Narrow | undefined, store: Store): string {
  if (!narrow) return ''
  const isPlace = narrow.kind === 'channel' || narrow.kind === 'topic' || narrow.kind === 'direct'
  if (narrow.kind !== 'search' && !isPlace) return ''
  const text = searchTextOf(narrow, store)
  return text === '' ? '' : `${text} `
}

function shown({ key, kind, label, description, id }: Suggestion, store: Store): SuggestionRow {
  const user = kind === 'person' && id !== undefined ? store.users.peek(id) : undefined
  const picture = user ? <Avatar user={user} size={20} /> : <Icon node={icons[kind]} size={16} />
  return { key, label, detail: description, picture }
}

const icons = {
  words: Search,
  operator: SlidersHorizontal,
  date: Calendar,
  person: Search,
  channel: Hash,
  topic: MessagesSquare,
  recent: Clock,
} as const
