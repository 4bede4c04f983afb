import { runCli } from './cli/program.ts'

const shell = {
  stdin: process.stdin,
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
}

void runCli(process.argv.slice(2), shell).then((code) => {
  process.exitCode = code
})
