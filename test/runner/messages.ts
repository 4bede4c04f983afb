import type { TestEvent } from 'node:test/reporters'

/** What Node's test runner says while tests run, as far as it is shown. */
export type ShownEvent = Extract<
  TestEvent,
  { type: 'test:start' | 'test:pass' | 'test:fail' | 'test:diagnostic' }
>

/** Why something failed, as text, because errors lose their details between processes. */
export interface Failure {
  /** As Node's reporters know it, such as `testCodeFailure` or `subtestsFailed`. */
  readonly failureType: string
  readonly text: string
}

/** What a test or a suite did. */
export interface TestResult {
  readonly event: ShownEvent
  readonly failure?: Failure
}

/** How a file ended. */
export interface Ending {
  /** What failed outside of its tests, such as an import or the whole process. */
  readonly failure?: Failure
  /** Whether its process can run no other file. */
  readonly isLast: boolean
}

/** Asks a worker to run a file, by its path from the top of the repository. */
export interface FileRequest {
  readonly file: string
}

export type WorkerMessage =
  | ({ readonly type: 'result' } & TestResult)
  | ({ readonly type: 'ending' } & Ending)
