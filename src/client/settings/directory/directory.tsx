import { ArrowLeft, Check, Plus } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { LockedPage } from '#client/settings/ui/locks.tsx'
import { classes } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { ErrorBoundary } from '#client/ui/error-boundary.tsx'
import { Icon, pointing } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'

const backIcon = pointing(ArrowLeft)

/** A link of a tab or section, by its part of the address. */
export interface DirectoryLink {
  readonly id: string
  readonly label: string
  readonly href: string
}

interface DirectoryProps {
  readonly title: string
  readonly tabs: readonly DirectoryLink[]
  /** The id of the tab that is shown. */
  readonly tab: string
  /** Filter and order. */
  readonly tools: ComponentChildren
  /** Rows, as `<li>`. */
  readonly rows: readonly ComponentChildren[]
  /** The text in place of rows, if there are none. */
  readonly empty: string
  /** The link to the form for a new one; absent where the user may not create any. */
  readonly create?: { readonly label: string; readonly href: string } | undefined
  /** Whether the right side shows something: a phone has one of the two. */
  readonly isChosen: boolean
  readonly onClose: () => void
  /** The right side. */
  readonly children: ComponentChildren
}

/** All channels or groups in a list, with the one in the address beside it. */
export function Directory(props: DirectoryProps) {
  const { title, tabs, tab, tools, rows, empty, create, isChosen, onClose, children } = props
  return (
    <Dialog title={title} size="wide" class="settings" isAddressed onClose={onClose}>
      <div class={classes('grow settings-body', 'directory-body', isChosen && 'settings-chosen')}>
        <div class="settings-list">
          <nav class="cluster tight settings-tabs" aria-label={t('Lists')}>
            {tabs.map(({ id, label, href }) => (
              <a key={id} class="chip" href={href} aria-current={id === tab ? 'true' : undefined}>
                {label}
              </a>
            ))}
          </nav>
          <div class="directory-tools">{tools}</div>
          <ul class="directory-rows" aria-label={title}>
            {rows}
            {rows.length === 0 && <li class="side-empty">{empty}</li>}
          </ul>
          {create && (
            <div class="directory-create">
              <a class="button button-primary" href={create.href}>
                <Icon node={Plus} size={16} />
                {create.label}
              </a>
            </div>
          )}
        </div>
        <ErrorBoundary>{children}</ErrorBoundary>
      </div>
    </Dialog>
  )
}

interface DirectoryRowProps {
  readonly href: string
  readonly icon: ComponentChildren
  readonly name: string
  readonly about: string
  /** The meaning of the check mark; undefined: there is none. */
  readonly mark: string | undefined
  readonly isChosen: boolean
  readonly isInactive?: boolean
}

/** A channel or group in the list. */
export function DirectoryRow(props: DirectoryRowProps) {
  const { href, icon, name, about, mark, isChosen, isInactive } = props
  return (
    <li class="side-row">
      <a
        class={classes('row side-link', 'directory-row', isInactive && 'directory-inactive')}
        href={href}
        aria-current={isChosen ? 'true' : undefined}
      >
        {icon}
        <span class="grow directory-words">
          <span class="side-name ellipsis" dir="auto">
            {name}
          </span>
          <span class="directory-about ellipsis">{about}</span>
        </span>
        {mark !== undefined && <Icon node={Check} size={16} class="side-mark" label={mark} />}
      </a>
    </li>
  )
}

interface DirectoryPaneProps {
  readonly title: ComponentChildren
  /** The link to the list, which a phone needs. */
  readonly back: { readonly label: string; readonly href: string }
  /** Beside the title. */
  readonly tools?: ComponentChildren
  readonly sections?: readonly DirectoryLink[]
  /** The id of the section that is shown. */
  readonly section?: string
  readonly children: ComponentChildren
}

/** The right side: one channel or group, or the form for a new one. */
export function DirectoryPane(props: DirectoryPaneProps) {
  const { title, back, tools, sections = [], section, children } = props
  const heading = useRef<HTMLHeadingElement>(null)
  // Moves the keyboard focus along, so that the keyboard goes on there.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <section class="settings-pane">
      <div class="row settings-head">
        <a class="icon-button settings-back" href={back.href} aria-label={back.label}>
          <Icon node={backIcon} />
        </a>
        <h3 ref={heading} tabIndex={-1} class="row tight grow directory-title">
          {title}
        </h3>
        {tools}
      </div>
      {sections.length > 0 && (
        <nav class="directory-sections" aria-label={t('Sections')}>
          {sections.map(({ id, label, href }) => (
            <a
              key={id}
              class="row directory-section"
              href={href}
              aria-current={id === section ? 'page' : undefined}
            >
              {label}
            </a>
          ))}
        </nav>
      )}
      <div key={section} class="stack settings-page">
        <LockedPage>{children}</LockedPage>
      </div>
    </section>
  )
}

/** The right side if nothing is chosen, or the choice does not exist. */
export function EmptyPane({ text }: { readonly text: string }) {
  return (
    <div class="settings-pane directory-nothing">
      <p>{text}</p>
    </div>
  )
}
