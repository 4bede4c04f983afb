import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals'
import { Lock } from 'lucide'
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useLayoutEffect, useMemo } from 'preact/hooks'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'

/** Why the settings of a page are locked. */
interface Locks {
  /** The reasons that several of them have, which the page's banner gives. */
  readonly shared: ReadonlySignal<readonly string[]>
  /** Counts a setting that is locked. @returns takes it back */
  readonly add: (reason: string) => () => void
}

const LocksContext = createContext<Locks | undefined>(undefined)

/** A page of settings: says once why its locked ones are locked. */
export function LockedPage({ children }: { readonly children: ComponentChildren }) {
  const reasons = useSignal<readonly string[]>([])
  const shared = useComputed(() => sharedOf(reasons.value))
  const locks = useMemo<Locks>(
    () => ({
      shared,
      add(reason) {
        reasons.value = [...reasons.peek(), reason]
        return () => {
          const at = reasons.peek().indexOf(reason)
          reasons.value = reasons.peek().toSpliced(at, 1)
        }
      },
    }),
    [],
  )
  return (
    <LocksContext.Provider value={locks}>
      {shared.value.length > 0 && (
        <p class="row banner lock-banner">
          <Icon node={Lock} size={16} />
          <span>
            {t('You can see the settings marked with a lock, but not change them.')}{' '}
            {bannerReason(shared.value)}
          </span>
        </p>
      )}
      {children}
    </LocksContext.Provider>
  )
}

/** Why those without the right to manage something cannot change it. */
export const administratorsOnly = () => t('Only administrators can change this.')
export const ownersOnly = () => t('Only owners can change this.')

/** The reasons as the banner says them, which is about all of the settings. */
function bannerReason(reasons: readonly string[]): string {
  const isUsual = [administratorsOnly(), ownersOnly()].every((one) => reasons.includes(one))
  return isUsual && reasons.length === 2
    ? t('Only owners can change some of them; administrators can change the rest.')
    : reasons.join(' ')
}

/** The reasons that two or more have, the most common one first. */
function sharedOf(reasons: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > 1)
    .sort(([, a], [, b]) => b - a)
    .map(([reason]) => reason)
}

/**
 * Counts a lock of the page, if there is one and it has a reason of its own.
 *
 * @returns whether the page's banner gives its reason
 */
export function useLock(reason: string | undefined): boolean {
  const locks = useContext(LocksContext)
  useLayoutEffect(() => (reason ? locks?.add(reason) : undefined), [locks, reason])
  return reason !== undefined && locks?.shared.value.includes(reason) === true
}
