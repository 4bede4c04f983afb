import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { problemOf } from '#client/commands/attempt.ts'
import type { FetchedList } from '#client/state/store.ts'

export interface FetchedValue<T> {
  /** The newest answer; undefined until there is one. */
  readonly value: T | undefined
  readonly problem: string | undefined
  reload(): void
}

/**
 * Data that a page fetches when it opens, and again when an event reports a change.
 *
 * @param list the list of these events; absent: there are none
 * @param fetch throws CallError
 */
export function useFetched<T>(
  list: FetchedList | undefined,
  fetch: () => Promise<T>,
): FetchedValue<T> {
  const { store } = useApp()
  const [value, setValue] = useState<T | undefined>()
  const [problem, setProblem] = useState<string | undefined>()
  const turn = useRef(0)
  const revision = list && store.revisions.get(list)
  function reload(): void {
    turn.current += 1
    const mine = turn.current
    fetch().then(
      (next) => {
        if (mine !== turn.current) return
        setValue(next)
        setProblem(undefined)
      },
      (error: unknown) => {
        if (mine === turn.current) setProblem(problemOf(error))
      },
    )
  }
  useEffect(() => {
    reload()
    return () => {
      turn.current += 1
    }
  }, [revision])
  return { value, problem, reload }
}
