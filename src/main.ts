import { nodeProblem } from './program/node-version.ts'

const problem = nodeProblem()
if (problem) {
  console.error(problem)
  process.exitCode = 1
} else {
  const { run } = await import('./program/cli/run.ts')
  await run()
}
