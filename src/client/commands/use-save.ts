import { useEffect, useRef, useState } from 'preact/hooks'
import { problemOf } from '#client/commands/attempt.ts'

export type SaveStatus =
  | { readonly kind: 'idle' | 'saving' | 'saved' }
  /** In words for the user. */
  | { readonly kind: 'failed'; readonly problem: string }

/** The problem with the last attempt. */
export function problemIn(status: SaveStatus): string | undefined {
  return status.kind === 'failed' ? status.problem : undefined
}

export interface Saving<T> {
  /** The value that is being saved, or else the known one. */
  readonly shown: T
  readonly status: SaveStatus
  /** Resolves with whether it succeeded. */
  save(value: T): Promise<boolean>
  /** Forgets that the last attempt failed. */
  clear(): void
}

const idle: SaveStatus = { kind: 'idle' }
/** How long "Saved" is shown, and a saved value before its event. */
const savedMs = 2500

/**
 * Saves a value, and reports the progress. The new value shows at once.
 *
 * @param value the store's value, which an event updates
 */
export function useSave<T>(value: T, onSave: (value: T) => Promise<unknown>): Saving<T> {
  const [pending, setPending] = useState<{ readonly value: T } | undefined>()
  const [status, setStatus] = useState<SaveStatus>(idle)
  const turn = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const key = JSON.stringify(value)
  useEffect(() => {
    if (status.kind !== 'saving') setPending(undefined)
  }, [key])
  useEffect(() => () => clearTimeout(timer.current), [])

  async function save(next: T): Promise<boolean> {
    turn.current += 1
    const mine = turn.current
    clearTimeout(timer.current)
    setPending({ value: next })
    setStatus({ kind: 'saving' })
    let problem: string | undefined
    try {
      await onSave(next)
    } catch (error) {
      problem = problemOf(error)
    }
    // A later value is being saved, and will report the result.
    if (mine !== turn.current) return problem === undefined
    if (problem === undefined) {
      setStatus({ kind: 'saved' })
      timer.current = setTimeout(() => {
        setStatus(idle)
        setPending(undefined)
      }, savedMs)
      return true
    }
    setPending(undefined)
    setStatus({ kind: 'failed', problem })
    return false
  }

  const clear = () => {
    if (status.kind === 'failed') setStatus(idle)
  }
  return { shown: pending ? pending.value : value, status, save, clear }
}
