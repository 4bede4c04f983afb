/**
 * The thread in which pictures are decoded: an evaluated text, because in the executable there is
 * no file to start a thread from. It gets the source of wasm-vips and its WebAssembly, and starts
 * the library's own threads from that text too.
 */
const threads = require('node:worker_threads')
const { brotliDecompressSync } = require('node:zlib')

const { source, wasm, packed } = threads.workerData
const name = 'vips.js'

/** A thread of the library, whatever file it asks for. */
class LibraryThread extends threads.Worker {
  constructor(_file, options) {
    super(source, { ...options, eval: true, env: {}, execArgv: [] })
  }
}

function loadLibrary() {
  const module = { exports: {} }
  const shim = (id) =>
    id === 'node:worker_threads' ? { ...threads, Worker: LibraryThread } : require(id)
  const load = new Function('module', 'exports', 'require', '__filename', '__dirname', source)
  load(module, module.exports, shim, name, '/')
  const bytes = packed ? brotliDecompressSync(wasm) : wasm
  return module.exports({
    // AVIF and JPEG XL would be as large again.
    dynamicLibraries: [],
    instantiateWasm: (imports, done) =>
      WebAssembly.instantiate(bytes, imports).then(({ instance, module }) =>
        done(instance, module),
      ),
    // What it says of broken pictures, it says to nobody.
    preRun: [({ ENV }) => void Object.assign(ENV, { VIPS_WARNING: '1' })],
  })
}

/** Encodes without profile, EXIF and the like. */
function encode(image, format, pageHeight) {
  const options = { keep: 'none', page_height: pageHeight }
  if (format === 'webp') return image.webpsaveBuffer({ ...options, Q: 80, effort: 2 })
  if (format === 'gif') return image.gifsaveBuffer(options)
  return image.pngsaveBuffer(options)
}

function convert(vips, bytes, { width, height, fit, animated, format }) {
  const made = []
  const keep = (image) => {
    made.push(image)
    return image
  }
  try {
    const options = {
      size: fit === 'cover' ? 'force' : 'down',
      // The loaders take this only here.
      option_string: animated ? '[n=-1,fail_on=truncated]' : '[fail_on=truncated]',
    }
    const target =
      fit === 'cover'
        ? covering(keep(vips.Image.newFromBuffer(bytes)), width, height)
        : { width, height }
    const scaled = keep(
      vips.Image.thumbnailBuffer(bytes, target.width, { ...options, height: target.height }),
    )
    const plain = keep(keep(scaled.colourspace('srgb')).cast('uchar'))
    const pageHeight = animated ? plain.pageHeight : plain.height
    if (fit === 'inside') return encode(plain, format, pageHeight)
    // Each frame's middle, one below the other again.
    const left = (target.width - width) >> 1
    const top = (target.height - height) >> 1
    const frames = []
    for (let y = 0; y + pageHeight <= plain.height; y += pageHeight) {
      frames.push(keep(plain.extractArea(left, y + top, width, height)))
    }
    return encode(keep(vips.Image.arrayjoin(frames, { across: 1 })), format, height)
  } finally {
    for (const image of made) image.delete()
  }
}

/** The smallest size of the same proportions, the picture upright, that covers the asked one. */
function covering(image, width, height) {
  const turned = image.getTypeof('orientation') !== 0 && image.getInt('orientation') >= 5
  const [own, across] = turned ? [image.height, image.width] : [image.width, image.height]
  const scale = Math.max(width / own, height / across)
  return {
    width: Math.max(width, Math.round(own * scale)),
    height: Math.max(height, Math.round(across * scale)),
  }
}

const loaded = loadLibrary().then((vips) => {
  vips.Cache.max(0)
  vips.concurrency(1)
  return vips
})

threads.parentPort.on('message', async ({ bytes, target }) => {
  try {
    threads.parentPort.postMessage({ picture: convert(await loaded, bytes, target) })
  } catch (error) {
    // What the library is like after that, nobody knows: the thread ends.
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error
    threads.parentPort.postMessage({})
  }
})
