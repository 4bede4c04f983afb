import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from './t.ts'

/** A component whose code is loaded when it is first drawn, or before. */
export type Lazy<P> = ComponentType<P> & {
  /** Loads the code before it is needed. */
  preload(): void
}

/**
 * Draws a component once its code is there, and nothing until then. The failure to load it goes to
 * the boundary around it, and another drawing tries again.
 */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): Lazy<P> {
  const loaded = signal<ComponentType<P> | undefined>(undefined)
  const problem = signal<Error | undefined>(undefined)
  let isLoading = false

  async function start(): Promise<void> {
    if (isLoading) return
    isLoading = true
    try {
      loaded.value = await load()
    } catch {
      isLoading = false
      problem.value = new Error(t('This part could not be loaded.'))
    }
  }

  function LazyPart(props: P) {
    useEffect(() => void start(), [])
    const Component = loaded.value
    if (Component) return <Component {...props} />
    const error = problem.value
    if (!error) return null
    problem.value = undefined
    throw error
  }

  return Object.assign(LazyPart, { preload: () => void start() })
}
