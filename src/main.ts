import { run } from './program/cli/run.ts'

await run()
