import { chromium } from 'playwright-core'
import { waitingFor } from './diagnosis.ts'

/** A call that a story has made, as Playwright tells its own test runner. */
interface Call {
  readonly apiName: string
  /** Where it was made, the innermost place first. */
  readonly frames: readonly {
    readonly file: string
    readonly line?: number
    readonly column?: number
  }[]
}

interface Listener {
  onApiCallBegin(call: Call, request: { readonly params?: { readonly selector?: string } }): void
  onApiCallEnd(call: Call): void
}

/** Notes what each call of Playwright's waits for. It has no public way to find that out. */
export function noteCalls(): void {
  const ended = new WeakMap<Call, () => void>()
  const { _instrumentation: instrumentation } = chromium as unknown as {
    readonly _instrumentation: { addListener(listener: Listener): void }
  }
  instrumentation.addListener({
    onApiCallBegin(call, { params }) {
      ended.set(
        call,
        waitingFor(() => {
          const what = params?.selector ? `${call.apiName} ${params.selector}` : call.apiName
          const places = call.frames.map(
            ({ file, line, column }) => `    at ${file}:${line}:${column}`,
          )
          return [what, ...places].join('\n')
        }),
      )
    },
    onApiCallEnd: (call) => ended.get(call)?.(),
  })
}
