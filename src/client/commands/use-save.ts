import { useEffect, useRef, useState } from 'preact/hooks'
import { parameterOf, problemOf } from '#client/commands/attempt.ts'

export type SaveStatus =
  | { readonly kind: 'idle' | 'saving' | 'saved' }
  | {
      readonly kind: 'failed'
      /** In words for the user. */
      readonly problem: string
      /** The parameter that the refusal is about. */
      readonly parameter?: string | undefined
    }

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
 * Saves a value, and reports the progress. The new value shows immediately.
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
    let failed: SaveStatus | undefined
    try {
      await onSave(next)
    } catch (error) {
      failed = { kind: 'failed', problem: problemOf(error), parameter: parameterOf(error) }
    }
    // A later value is being saved, and will report the result.
    if (mine !== turn.current) return failed === undefined
    if (failed === undefined) {
      setStatus({ kind: 'saved' })
      timer.current = setTimeout(() => {
        setStatus(idle)
        setPending(undefined)
      }, savedMs)
      return true
    }
    setPending(undefined)
    setStatus(failed)
    return false
  }

  const clear = () => {
    if (status.kind === 'failed') setStatus(idle)
  }
  return { shown: pending ? pending.value : value, status, save, clear }
}
