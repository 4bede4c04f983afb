import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** What the thread for pictures is started with. */
export interface PictureLibrary {
  /** The text that the thread runs (worker.cjs). */
  readonly worker: string
  /** wasm-vips, as text. */
  readonly source: string
  /** Its WebAssembly, brotli-compressed if `packed`. */
  readonly wasm: Uint8Array
  readonly packed: boolean
}

/** From the installed package; the build replaces this module by one that carries all of it. */
export function loadPictureLibrary(): PictureLibrary {
  const { resolve } = createRequire(import.meta.url)
  return {
    worker: readFileSync(new URL('./worker.cjs', import.meta.url), 'utf8'),
    source: readFileSync(resolve('wasm-vips'), 'utf8'),
    wasm: readFileSync(resolve('wasm-vips/vips.wasm')),
    packed: false,
  }
}
