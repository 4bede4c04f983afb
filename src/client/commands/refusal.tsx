import { useSignal } from '@preact/signals'
import { type ComponentChildren, createContext } from 'preact'
import { useCallback, useContext, useLayoutEffect, useMemo } from 'preact/hooks'
import { Problem } from '#client/ui/problem.tsx'
import { problemAt, problemBelow } from './placing.ts'
import type { SaveStatus } from './use-save.ts'

/** What the fields of a form know of its last attempt. */
interface Refusals {
  readonly status: SaveStatus
  /** Counts a field which shows the problems of a parameter. @returns takes it back */
  readonly add: (parameter: string) => () => void
}

const RefusalContext = createContext<Refusals | undefined>(undefined)

interface RefusableProps {
  readonly status: SaveStatus
  /** Draws a refusal that no field shows. */
  readonly draw?: ((problem: string) => ComponentChildren) | undefined
  readonly children: ComponentChildren
}

const drawProblem = (problem: string) => <Problem text={problem} />

/**
 * The content of a form. A refusal is shown at the field of the parameter that the server names
 * (`useProblem`), or else below the content.
 */
export function Refusable({ status, draw = drawProblem, children }: RefusableProps) {
  const placed = useSignal<readonly string[]>([])
  const add = useCallback((parameter: string) => {
    placed.value = [...placed.peek(), parameter]
    return () => {
      const at = placed.peek().indexOf(parameter)
      placed.value = placed.peek().toSpliced(at, 1)
    }
  }, [])
  const refusals = useMemo(() => ({ status, add }), [status])
  const below = problemBelow(status, placed.value)
  return (
    <RefusalContext.Provider value={refusals}>
      {children}
      {below !== undefined && draw(below)}
    </RefusalContext.Provider>
  )
}

/** What the server refused about a parameter, for the field that shows it. */
export function useProblem(parameter: string | undefined): string | undefined {
  const refusals = useContext(RefusalContext)
  useLayoutEffect(
    () => (parameter === undefined ? undefined : refusals?.add(parameter)),
    [refusals?.add, parameter],
  )
  return refusals && problemAt(refusals.status, parameter)
}
