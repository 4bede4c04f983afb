import type { ComponentChildren } from 'preact'
import { useApp } from '#client/app-context.ts'
import { userName } from '#client/state/names.ts'
import { dayText } from '#client/ui/dates.ts'
import { t } from '#client/ui/t.ts'

interface FactsProps {
  readonly facts: readonly (readonly [string, ComponentChildren] | undefined)[]
}

/** Facts that cannot be changed: names and values. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl class="stack tight directory-facts">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

interface CreatedProps {
  /** Seconds since the epoch; null: as old as the organization. */
  readonly at: number | null
  readonly by: number | null
}

/** The creation time and the creator of something. */
export function Created({ at, by }: CreatedProps) {
  const { store } = useApp()
  if (at === null) return <>{t('When the organization was created')}</>
  const day = dayText(at)
  return <>{by === null ? day : t('{day} by {name}', { day, name: userName(by, store) })}</>
}
