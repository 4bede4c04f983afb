import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { evaluate } from './evaluate.ts'
import { assetNames, fixedSeeds, type Program } from './names.ts'

// Starts the program on an empty data folder, asks it for a page, and writes the code that was
// compiled for that; then it runs each part, so that none is missing something. Arguments: the folder
// of the assets, and the addon.

const [folder = '', addon = ''] = process.argv.slice(2)
const sea = {
  isSea: () => true,
  getRawAsset: (name: string) =>
    new Uint8Array(readFileSync(name === assetNames.addon ? addon : join(folder, name))).buffer,
}
const load = ((name: string) => (name === 'node:sea' ? sea : require(name))) as NodeJS.Require
process.argv.splice(2, 2, 'serve', '--data', join(folder, 'recorded'), '--port', '0')
setTimeout(() => fail('It does not answer.'), 60_000)

// What runs after a time would be recorded on a slow machine only.
const { setTimeout: startTimeout, setInterval: startInterval } = globalThis
const never = 2 ** 31 - 1
globalThis.setTimeout = ((run: () => void) => startTimeout(run, never)) as typeof setTimeout
globalThis.setInterval = ((run: () => void) => startInterval(run, never)) as typeof setInterval

const source = readFileSync(join(folder, assetNames.program), 'latin1')
const { script, exports: program } = evaluate(source, assetNames.program, load)
process.stdout.write = (text: string | Uint8Array) => {
  const url = /http:\/\/\S+/.exec(String(text))?.[0]
  if (url) record(url).catch(fail)
  return true
}

async function record(url: string): Promise<void> {
  for (const path of ['/api/v1/server_settings', '/']) await (await fetch(url + path)).text()
  // V8 takes code only where its options are those that the code was made with.
  for (const option of fixedSeeds) setFlagsFromString(option.replace(/=.*/, '=0'))
  writeFileSync(join(folder, assetNames.cache), script.createCachedData())
  for (const name of readdirSync(folder).filter((each) => each.startsWith('part-'))) {
    ;(program as Program).loadPart(name)
  }
  process.exit(0)
}

function fail(error: unknown): never {
  console.error(error)
  process.exit(1)
}

void (program as Program).run()
