import { useApp } from '#client/app-context.ts'

interface PageTabsProps {
  readonly label: string
  /** The section of the organization's settings. */
  readonly section: string
  readonly tabs: readonly (readonly [id: string, text: string])[]
  readonly current: string
}

/** The parts of a section, which the address names. */
export function PageTabs({ label, section, tabs, current }: PageTabsProps) {
  const { router } = useApp()
  return (
    <nav class="cluster tight" aria-label={label}>
      {tabs.map(([id, text]) => (
        <a
          key={id}
          class="chip"
          href={router.href({ kind: 'settings', area: 'organization', path: [section, id] })}
          aria-current={id === current ? 'page' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  )
}
