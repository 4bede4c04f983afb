import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The code that the picture worker thread runs. */
export interface PictureLibrary {
  /** The source code of worker.cjs. */
  readonly worker: string
  /** The source code of wasm-vips. */
  readonly source: string
  /** Its WebAssembly, brotli-compressed if `packed`. */
  readonly wasm: Uint8Array
  readonly packed: boolean
}

/** Reads the installed package. The build replaces this module by one that contains the code. */
export function loadPictureLibrary(): PictureLibrary {
  const { resolve } = createRequire(import.meta.url)
  return {
    worker: readFileSync(new URL('./worker.cjs', import.meta.url), 'utf8'),
    source: readFileSync(resolve('wasm-vips'), 'utf8'),
    wasm: readFileSync(resolve('wasm-vips/vips.wasm')),
    packed: false,
  }
}
