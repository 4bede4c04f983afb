import { useEffect, useRef, useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { problemOf } from '#client/commands/attempt.ts'
import { useListbox } from '#client/ui/listbox.ts'
import type { Box } from '#client/ui/place.ts'
import { Popover } from '#client/ui/popover.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { t } from '#client/ui/t.ts'

interface GifPickerProps {
  readonly app: App
  readonly anchor: Box
  readonly onClose: () => void
}

/** A GIF as `GET /gifs` answers it. */
interface Gif {
  readonly title: string
  readonly url: string
  readonly preview_url: string
  readonly width: number
  readonly height: number
}

interface GifPage {
  readonly gifs: readonly Gif[]
  readonly next: string | null
}

const columns = 3
const nothing: GifPage = { gifs: [], next: null }

/** How long to wait for the next key before searching, in milliseconds. */
const pause = 300

/** The names of the providers, which their terms require beside the pictures. */
const providers = { giphy: 'GIPHY', tenor: 'Tenor', klipy: 'KLIPY' } as const

/** A search for GIFs through the server. The chosen one becomes a link in the message. */
export function GifPicker({ app, anchor, onClose }: GifPickerProps) {
  const [query, setQuery] = useState('')
  const { found, isBusy, problem, search } = useGifSearch(app, query)
  const { gifs, next } = found
  const { list, selected, select, press } = useListbox({
    count: gifs.length,
    columns,
    isInText: query !== '',
    onPick: (index) => {
      const gif = gifs[index]
      if (gif) pick(gif)
    },
    onMove: (index) => {
      if (index >= gifs.length - columns) more()
    },
  })

  useEffect(() => {
    const begin = () => {
      select(0)
      void search('', [])
    }
    const timer = setTimeout(begin, query === '' ? 0 : pause)
    return () => clearTimeout(timer)
  }, [query])

  function more(): void {
    if (next !== null && !isBusy) void search(next, gifs)
  }

  function pick({ title, url }: Gif): void {
    // Closed first, so that the focus is back before the text box takes it.
    onClose()
    app.compose.insert(`[${title}](${url})`, { isBlock: true })
  }

  function onScroll({ scrollTop, scrollHeight, clientHeight }: HTMLElement): void {
    if (scrollTop + clientHeight * 2 > scrollHeight) more()
  }

  return (
    <Popover
      anchor={anchor}
      placement="top-start"
      label={t('GIFs')}
      class="stack emoji-picker"
      onClose={onClose}
    >
      <GifQuery query={query} onQuery={setQuery} onKeyDown={press} />
      <Problem text={problem} />
      <div
        ref={list}
        class="gif-grid"
        role="listbox"
        aria-label={t('GIFs')}
        aria-busy={isBusy}
        tabIndex={-1}
        onScroll={(event) => onScroll(event.currentTarget)}
      >
        {gifs.map((gif, i) => (
          <GifChoice
            key={`${i} ${gif.url}`}
            gif={gif}
            isSelected={i === selected}
            onSelect={() => select(i)}
            onPick={() => pick(gif)}
          />
        ))}
      </div>
      <GifFoot
        text={gifs.length === 0 && !problem && (isBusy ? t('Searching …') : t('No GIF matches.'))}
      />
    </Popover>
  )
}

/** The GIFs that a query has found so far, and the search for more of them. */
function useGifSearch(app: App, query: string) {
  const [found, setFound] = useState(nothing)
  const [isBusy, setBusy] = useState(true)
  const [problem, setProblem] = useState<string>()
  /** Counts the searches: only the last one's answer is shown. */
  const turn = useRef(0)

  async function search(from: string, before: readonly Gif[]): Promise<void> {
    turn.current += 1
    const mine = turn.current
    setBusy(true)
    setProblem(undefined)
    try {
      const page = await app.api.get<GifPage>('/gifs', { query: query.trim(), from })
      if (mine === turn.current) setFound({ gifs: [...before, ...page.gifs], next: page.next })
    } catch (error) {
      if (mine === turn.current) setProblem(problemOf(error))
    }
    if (mine === turn.current) setBusy(false)
  }

  useEffect(
    () => () => {
      turn.current += 1
    },
    [],
  )
  return { found, isBusy, problem, search }
}

interface GifQueryProps {
  readonly query: string
  readonly onQuery: (query: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

function GifQuery({ query, onQuery, onKeyDown }: GifQueryProps) {
  return (
    <input
      class="input"
      type="search"
      aria-label={t('Search GIFs')}
      placeholder={t('Search GIFs')}
      maxLength={50}
      autofocus
      value={query}
      onInput={(event) => onQuery(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}

/** The state of the search, and who answers it. */
function GifFoot({ text }: { readonly text: string | false }) {
  const app = useApp()
  const provider = app.store.realm.value.server_gif_provider
  return (
    <div class="row emoji-foot emoji-name">
      <p class="ellipsis" role="status">
        {text}
      </p>
      {provider && <p>{t('Powered by {provider}', { provider: providers[provider] })}</p>}
    </div>
  )
}

interface GifChoiceProps {
  readonly gif: Gif
  readonly isSelected: boolean
  readonly onSelect: () => void
  readonly onPick: () => void
}

function GifChoice({ gif, isSelected, onSelect, onPick }: GifChoiceProps) {
  return (
    <button
      type="button"
      class="gif-choice"
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      aria-label={gif.title}
      title={gif.title}
      onPointerMove={onSelect}
      onClick={onPick}
    >
      <img loading="lazy" alt="" src={gif.preview_url} width={gif.width} height={gif.height} />
    </button>
  )
}
