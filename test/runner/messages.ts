/** Why something failed, as text, because errors lose their details between processes. */
export interface Failure {
  /** As Node calls it, such as `testCodeFailure` or `subtestsFailed`. */
  readonly failureType: string
  readonly text: string
}

/** What a test or a suite did. */
export interface TestResult {
  /** Its name after those of the suites around it, from the outermost on. */
  readonly names: readonly string[]
  readonly isSuite: boolean
  readonly outcome: 'pass' | 'fail' | 'cancelled' | 'skipped' | 'todo'
  readonly durationMs: number
  /** Why it was skipped, if that was said. */
  readonly reason?: string
  readonly failure?: Failure
}

/** How a file ended. */
export interface Ending {
  /** What failed outside of its tests, such as an import or the whole process. */
  readonly failure?: Failure
  /** Whether its process can run no other file. */
  readonly isLast: boolean
  /** CPU of the process and of its children that have ended, in milliseconds. */
  readonly cpuMs: number
}

/** Asks a worker to run a file, by its path from the top of the repository. */
export interface FileRequest {
  readonly file: string
}

/** What a worker says of a file while it runs. */
export type WorkerRecord =
  /** A test begins. */
  | { readonly type: 'running'; readonly names: readonly string[] }
  | ({ readonly type: 'result' } & TestResult)
  | { readonly type: 'remark'; readonly text: string }
