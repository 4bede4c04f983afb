// `node build.mjs [--release | --all | --target=NAME ...] [--draft] [--url=URL] [folder]` writes to dist/ or to the given
// folder: parley.cjs, the program as one file for Node, which is also the module to import for embedding, with its
// types in parley.d.cts; and parley, a single executable that needs no Node. With --release also what a release
// page has, in release/: archives of the executable and of the npm package, sums, and files to install it with.
// --target adds the executable of another platform to it, and --all those of all. --url says where all of it will be
// downloaded. With --draft it compresses in a tenth of the time, for tests. The parts are in .build/.
import { register } from 'tsx/esm/api'

register()
const { build } = await import('./.build/build.ts')
await build().catch((error) => {
  console.error(`build: ${error.message}`)
  process.exitCode = 1
})
