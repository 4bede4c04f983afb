import { ArrowLeft, CircleHelp } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { problemOf } from '#client/commands/attempt.ts'
import { Button, classes } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { ErrorBoundary } from '#client/ui/error-boundary.tsx'
import { FilterField } from '#client/ui/filter-field.tsx'
import { isFinishing } from '#client/ui/finishing.ts'
import { Icon, pointing } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { loadDeclarations } from './declarations.ts'
import { loadBots } from './load-bots.ts'
import { type FoundSection, searchSections } from './search.ts'
import type { Section, SettingsArea } from './section.ts'
import { sections } from './sections.ts'
import { LockedPage } from './ui/locks.tsx'

const backIcon = pointing(ArrowLeft)

/** A setting from a search; a new object each time, so that it is shown each time. */
interface Sought {
  readonly name: string
}

interface SettingsFrameProps {
  readonly area: SettingsArea
  /** The section and its part; empty: none is chosen. */
  readonly path: readonly string[]
  readonly onClose: () => void
}

/** All settings: a list of sections, and the one that the address says. A phone shows one of the two. */
export function SettingsFrame({ area, path, onClose }: SettingsFrameProps) {
  const app = useApp()
  const { router } = app
  const [typed, setTyped] = useState('')
  const [sought, setSought] = useState<Sought | undefined>()
  const shown = sections.filter((each) => each.area === area && (each.isShown?.(app) ?? true))
  const chosen = shown.find(({ id }) => id === path[0])
  const section = chosen ?? shown[0]
  return (
    <Dialog
      title={area === 'personal' ? t('Settings') : t('Organization settings')}
      size="wide"
      class="settings"
      isAddressed
      onClose={onClose}
    >
      <div class={classes('grow settings-body', chosen && 'settings-chosen')}>
        <div class="settings-list">
          <AreaTabs area={area} />
          <div class="settings-search">
            <FilterField
              label={t('Find a setting')}
              value={typed}
              onChange={setTyped}
              onChoose={() => {
                const [first] = searchSections(shown, typed)
                if (!first) return
                const { section: found, settings } = first
                router.go({ kind: 'settings', area: found.area, path: [found.id] })
                setSought(settings[0])
              }}
            />
          </div>
          <SectionList
            found={searchSections(shown, typed)}
            current={section}
            onSeek={(name) => setSought(name === undefined ? undefined : { name })}
          />
        </div>
        {section ? (
          <SectionPane
            key={`${area} ${section.id}`}
            section={section}
            path={path.slice(1)}
            isChosen={chosen !== undefined}
            sought={sought}
          />
        ) : (
          <div />
        )}
      </div>
    </Dialog>
  )
}

function AreaTabs({ area }: { readonly area: SettingsArea }) {
  const { router } = useApp()
  const tabs: readonly (readonly [SettingsArea, string])[] = [
    ['personal', t('Personal')],
    ['organization', t('Organization')],
  ]
  return (
    <div class="cluster tight settings-tabs">
      {tabs.map(([name, text]) => (
        <a
          key={name}
          class="chip"
          href={router.href({ kind: 'settings', area: name, path: [] })}
          aria-current={name === area ? 'true' : undefined}
        >
          {text}
        </a>
      ))}
    </div>
  )
}

interface SectionListProps {
  readonly found: readonly FoundSection[]
  readonly current: Section | undefined
  readonly onSeek: (name: string | undefined) => void
}

function SectionList({ found, current, onSeek }: SectionListProps) {
  const { router } = useApp()
  return (
    <nav class="settings-sections" aria-label={t('Sections')}>
      <ul onKeyDown={moveFocus}>
        {found.map(({ section, settings }) => {
          const href = router.href({ kind: 'settings', area: section.area, path: [section.id] })
          return (
            <li key={section.id}>
              <a
                class="row side-link settings-link"
                href={href}
                aria-current={section === current ? 'page' : undefined}
                onClick={() => onSeek(undefined)}
              >
                <Icon node={section.icon} size={16} />
                <span class="side-name">{t(section.title)}</span>
              </a>
              {settings.length > 0 && (
                <ul class="settings-found">
                  {settings.map(({ name, label }) => (
                    <li key={name}>
                      <a class="row side-link" href={href} onClick={() => onSeek(name)}>
                        <span class="side-name">{label}</span>
                      </a>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          )
        })}
      </ul>
      {found.length === 0 && <p class="side-empty">{t('No matching settings')}</p>}
    </nav>
  )
}

/** Arrow keys go through the links of a list. */
function moveFocus(event: KeyboardEvent): void {
  if (isFinishing(event)) return
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const list = event.currentTarget as HTMLElement
  const links = [...list.querySelectorAll<HTMLElement>('a')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  const next = links[at + (event.key === 'ArrowDown' ? 1 : -1)]
  if (!next) return
  event.preventDefault()
  next.focus({ focusVisible: true })
}

interface SectionPaneProps {
  readonly section: Section
  readonly path: readonly string[]
  /** Whether the address names it; otherwise it is only the first. */
  readonly isChosen: boolean
  readonly sought: Sought | undefined
}

function SectionPane({ section, path, isChosen, sought }: SectionPaneProps) {
  const app = useApp()
  const heading = useRef<HTMLHeadingElement>(null)
  const page = useRef<HTMLElement>(null)
  // Moves the keyboard focus along, so that the keyboard goes on in the section.
  useEffect(() => {
    if (isChosen && !sought) heading.current?.focus({ preventScroll: true })
  }, [isChosen])
  useEffect(() => {
    if (sought) return showSetting(page.current, sought.name)
  }, [sought])
  return (
    <div class="settings-pane">
      <div class="row settings-head">
        <a
          class="icon-button settings-back"
          href={app.router.href({ kind: 'settings', area: section.area, path: [] })}
          aria-label={t('All sections')}
        >
          <Icon node={backIcon} />
        </a>
        <h3 ref={heading} tabIndex={-1}>
          {t(section.title)}
        </h3>
        <a
          class="icon-button settings-help"
          href={`/help/${section.help}`}
          target="_blank"
          rel="noopener"
          aria-label={t('Help about this page')}
          title={t('Help about this page')}
        >
          <Icon node={CircleHelp} />
        </a>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it where every field is locked */}
      <section ref={page} class="stack settings-page" tabIndex={0} aria-label={t(section.title)}>
        <ErrorBoundary>
          <Declared>
            <LockedPage>
              <section.Page path={path} />
            </LockedPage>
          </Declared>
        </ErrorBoundary>
      </section>
    </div>
  )
}

/** Scrolls to a setting and takes the focus there, once its page is drawn. */
function showSetting(page: HTMLElement | null, name: string): (() => void) | undefined {
  if (!page) return undefined
  const go = () => {
    const setting = page.querySelector(`[data-setting="${CSS.escape(name)}"]`)
    if (!setting) return
    observer.disconnect()
    setting.scrollIntoView({ block: 'center' })
    setting.querySelector<HTMLElement>('input, select, textarea, button')?.focus()
  }
  const observer = new MutationObserver(go)
  observer.observe(page, { childList: true, subtree: true })
  go()
  return () => observer.disconnect()
}

/** Draws a page once the declarations of the settings are there, and the user's bots. */
function Declared({ children }: { readonly children: preact.ComponentChildren }) {
  const app = useApp()
  const [state, setState] = useState<'loading' | 'ready' | { readonly problem: string }>('loading')
  const load = () => {
    setState('loading')
    Promise.all([loadDeclarations(app), loadBots(app)]).then(
      () => setState('ready'),
      (error: unknown) => setState({ problem: problemOf(error) }),
    )
  }
  useEffect(load, [])
  if (state === 'ready') return <>{children}</>
  if (state === 'loading') return null
  return (
    <div class="stack loose failure" role="alert">
      <p>{state.problem}</p>
      <Button onClick={load}>{t('Try again')}</Button>
    </div>
  )
}
