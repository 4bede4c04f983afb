// Runs before anything else in a process that runs test files.
//
// Node's test runner follows every promise from its making to its collection, to tell in which suite
// a test is declared, and which test an uncaught error belongs to. To be told of collections makes
// promises many times as expensive, so here the runner is told of each after many later ones.
const hooks = require('node:async_hooks')

const { createHook } = hooks
const followed = 2 ** 18

/** Takes the place of `createHook` for its first caller, which is the test runner. */
hooks.createHook = ({ init, destroy }) => {
  hooks.createHook = createHook
  const ids = new Float64Array(followed)
  let next = 0
  return createHook({
    init(asyncId, type, triggerAsyncId, resource) {
      init(asyncId, type, triggerAsyncId, resource)
      // Few are of other types, and tests and suites are among them.
      if (type !== 'PROMISE') return
      destroy(ids[next])
      ids[next] = asyncId
      next = (next + 1) % followed
    },
  })
}
