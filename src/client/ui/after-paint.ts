import { useSignal } from '@preact/signals'
import { effect, type ReadonlySignal } from '@preact/signals-core'
import { useEffect } from 'preact/hooks'

/** Calls once the next frame is painted. @returns a function that cancels this */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/**
 * What a signal has, one frame later: for what is beside something that people wait for, and would be
 * drawn in the same frame.
 */
export function useAfterPaint<T>(source: ReadonlySignal<T>): ReadonlySignal<T> {
  const painted = useSignal(source.peek())
  useEffect(() => {
    let cancel: (() => void) | undefined
    const stop = effect(() => {
      if (source.value === painted.peek()) return
      cancel ??= afterPaint(() => {
        cancel = undefined
        painted.value = source.peek()
      })
    })
    return () => {
      stop()
      cancel?.()
    }
  }, [source, painted])
  return painted
}
