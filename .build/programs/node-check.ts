import { runInThisContext } from 'node:vm'
import { nodeProblem } from '../../src/program/node-version.ts'

// The first that the file for Node runs, before it loads anything.

const problem = nodeProblem()
if (problem) {
  // With an error that nobody catches, Node prints the line that throws: the whole bundle is one line.
  if (require.main !== module) runInThisContext('(text) => { throw new Error(text) }')(problem)
  console.error(problem)
  process.exit(1)
}
