import asyncHooks, { AsyncResource, createHook, executionAsyncId } from 'node:async_hooks'
import { createRequire } from 'node:module'

// Node's test runner follows every promise and callback of the process, to know which test an error
// or a call of `after` belongs to: that takes up to a third of the CPU. A worker runs one test at a
// time, which says the same. Only a file that is being loaded needs more, as it may describe several
// suites at once, and one with tests that run at once. So this is loaded before `node:test`, and gives
// it its own view of these functions. Where a version of Node does without them, nothing changes.

type Callbacks = Required<Pick<asyncHooks.HookCallbacks, 'init' | 'destroy'>>

/** Those with which the test runner keeps its table of tests by asynchronous ids. */
let table: Callbacks | undefined
let hook: asyncHooks.AsyncHook | undefined
let isFollowing = false
/** What has entered the table meanwhile, besides tests. */
let followed: number[] = []
/** Of the test, suite or hook that ran last. */
let current: number | undefined
/** Tests and suites of the file that is being loaded. */
let tests: AsyncResource[] = []
/** What its suites returned, without that of the file itself. */
let described: unknown[] = []
let fileSuite: number | undefined

/** What tests, suites and their hooks are. */
class KnownResource extends AsyncResource {
  constructor(...args: ConstructorParameters<typeof AsyncResource>) {
    super(...args)
    if (isFollowing) tests.push(this)
    else table?.init(this.asyncId(), args[0], this.triggerAsyncId(), this)
  }

  override runInAsyncScope<T>(...args: Parameters<AsyncResource['runInAsyncScope']>): T {
    current = this.asyncId()
    const result = super.runInAsyncScope(...args) as T
    if (isFollowing && this.asyncId() !== fileSuite) described.push(result)
    return result
  }
}

const original = { AsyncResource, createHook, executionAsyncId }
Object.assign(asyncHooks, {
  AsyncResource: KnownResource,
  createHook(callbacks: Callbacks) {
    table = callbacks
    hook = createHook({
      init(id, type, ...rest) {
        callbacks.init(id, type, ...rest)
        if (type !== 'Test') followed.push(id)
      },
    })
    return hook
  },
  executionAsyncId: () => (isFollowing ? executionAsyncId() : (current ?? executionAsyncId())),
})
createRequire(import.meta.url)('node:test')
Object.assign(asyncHooks, original)

/** Has everything followed, for a file whose suite is about to be made. */
export function startFollowing(): void {
  stopFollowing()
  isFollowing = true
  hook?.enable()
}

function stopFollowing(): void {
  isFollowing = false
  hook?.disable()
  for (const id of followed) table?.destroy(id)
  followed = []
  tests = []
  described = []
}

/** Loads a file, as the body of its suite, until all suites in it have their tests. */
export async function load(file: string): Promise<void> {
  fileSuite = current
  try {
    await import(file)
    while (described.length > 0) await Promise.allSettled(described.splice(0))
  } finally {
    if (!tests.some(runsAtOnce)) stopFollowing()
  }
}

/** Whether a test or suite runs several of those inside of it at once. */
function runsAtOnce(test: object): boolean {
  return 'concurrency' in test && test.concurrency !== 1
}
