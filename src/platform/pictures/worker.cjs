/**
 * The worker thread that decodes images. It runs from source text, because the single executable
 * has no file to start a thread from. It receives the source of wasm-vips and its WebAssembly, and
 * starts the library's own threads from that source too.
 */
const { getPriority, setPriority } = require('node:os')
const threads = require('node:worker_threads')
const { brotliDecompressSync } = require('node:zlib')

const { source, wasm, packed } = threads.workerData
const name = 'vips.js'

// Lets requests go first on machines with few processors. Only Linux has priorities of threads,
// which their own threads inherit; elsewhere this would slow down the whole process. Not lower:
// where other programs keep the processors busy, pictures would never be made.
const niceness = 3
if (process.platform === 'linux') setPriority(Math.max(getPriority(), niceness))

/** A thread of the library, started from `source` instead of a file. */
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
    // Support for AVIF and JPEG XL would double the size.
    dynamicLibraries: [],
    instantiateWasm: (imports, done) =>
      WebAssembly.instantiate(bytes, imports).then(({ instance, module }) =>
        done(instance, module),
      ),
    // Suppresses warnings about broken images.
    preRun: [({ ENV }) => void Object.assign(ENV, { VIPS_WARNING: '1' })],
  })
}

/** Encodes without colour profile, EXIF and other metadata. */
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
      size: { cover: 'force', contain: 'both', inside: 'down' }[fit],
      // `thumbnailBuffer` takes options for the loader only in this form.
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
    // The centre of each frame, or the whole frame in the centre. Those of an animation are stacked.
    const whole = fit === 'contain' && !plain.hasAlpha() ? keep(plain.addalpha()) : plain
    const left = (width - whole.width) >> 1
    const top = (height - pageHeight) >> 1
    const frames = []
    for (let y = 0; y + pageHeight <= whole.height; y += pageHeight) {
      const frame = keep(whole.extractArea(0, y, whole.width, pageHeight))
      frames.push(keep(frame.embed(left, top, width, height)))
    }
    return encode(keep(vips.Image.arrayjoin(frames, { across: 1 })), format, height)
  } finally {
    for (const image of made) image.delete()
  }
}

/** The smallest size with the upright image's proportions that covers the target size. */
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
    // These errors leave the library in an unknown state, so the thread must end.
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error
    threads.parentPort.postMessage({})
  }
})
