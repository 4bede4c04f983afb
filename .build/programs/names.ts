/** The assets of an executable, besides the files of the web client and the parts of the program. */
export const assetNames = {
  program: 'program.js',
  /** The code that V8 compiled for the program; empty in an executable for another platform. */
  cache: 'program.cache',
  addon: 'better_sqlite3.node',
  vips: 'vips-node.js',
  vipsWasm: 'vips.wasm',
} as const

/** Options of the Node that records the code, which depends on them and is the same each time. */
export const fixedSeeds = ['--hash-seed=1', '--random-seed=1']

/** What is recorded says how far other threads are with compiling it, and their marking writes into it. */
export const oneThread = [
  '--no-concurrent-marking',
  '--no-concurrent-recompilation',
  '--no-concurrent-sparkplug',
]

/** What the bundled program exports. */
export interface Program {
  run(): Promise<void>
  /** Runs a part of it, by its name. */
  loadPart(name: string): unknown
}
