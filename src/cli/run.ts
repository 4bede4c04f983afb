import { runCli } from './program.ts'

/** Runs the program in this process, as its arguments say. The build starts here, too. */
export async function run(): Promise<void> {
  process.exitCode = await runCli(process.argv.slice(2), {
    stdin: process.stdin,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
  })
}
