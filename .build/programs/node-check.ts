import { nodeProblem } from '../../src/program/node-version.ts'

// The first that the file for Node runs, before it loads anything.

const problem = nodeProblem()
if (problem) {
  if (require.main !== module) throw new Error(problem)
  console.error(problem)
  process.exit(1)
}
