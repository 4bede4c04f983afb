import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { FailureNote } from './failure-note.tsx'
import { t } from './t.ts'

/** A component whose code is loaded when it is first drawn, or before. */
export type Lazy<P> = ComponentType<P> & {
  /** Loads the code before it is needed. */
  preload(): void
}

/** How many parts the screen would have if their code was there. */
export const partsAwaited = signal(0)

interface LazyOptions {
  /** Whether it can be left out if it cannot be loaded. */
  readonly isOptional?: boolean
}

/**
 * Draws a component once its code is there, and nothing until then. If it cannot be loaded, it says
 * so and offers another try.
 */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { isOptional = false }: LazyOptions = {},
): Lazy<P> {
  const loaded = signal<ComponentType<P> | undefined>(undefined)
  const hasFailed = signal(false)
  let isLoading = false

  async function start(): Promise<void> {
    if (isLoading) return
    isLoading = true
    hasFailed.value = false
    try {
      loaded.value = await load()
    } catch {
      isLoading = false
      hasFailed.value = true
    }
  }

  /** Separate, so that a loaded part costs nothing more. */
  function Missing() {
    useEffect(() => void start(), [])
    useLayoutEffect(() => {
      if (hasFailed.value) return
      partsAwaited.value += 1
      return () => {
        partsAwaited.value -= 1
      }
    }, [hasFailed.value])
    if (isOptional || !hasFailed.value) return null
    const problem = t('This part could not be loaded. Check the connection and try again.')
    return <FailureNote problem={problem} retry={() => void start()} />
  }

  function LazyPart(props: P) {
    const Component = loaded.value
    return Component ? <Component {...props} /> : <Missing />
  }

  return Object.assign(LazyPart, { preload: () => void start() })
}
