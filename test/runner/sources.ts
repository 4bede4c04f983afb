import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join } from 'node:path'

// Node can do this by itself, but reads every source map at the start of a process: half of its time.

const maps = new Map<string, SourceMap | undefined>()

/** An error's text with places in the sources instead of in a bundle. @param bundle its folder */
export function withSources(text: string, bundle: string): string {
  const place = /(?:file:\/\/)?(\/[^\s:()]+\.js):(\d+):(\d+)/g
  return text.replaceAll(place, (whole, path: string, line, column) => {
    if (!path.startsWith(bundle)) return whole
    const entry = mapOf(path)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!entry || !('originalSource' in entry)) return whole
    const { originalSource, originalLine, originalColumn } = entry
    return `${join(dirname(path), originalSource)}:${originalLine + 1}:${originalColumn + 1}`
  })
}

function mapOf(path: string): SourceMap | undefined {
  if (!maps.has(path)) {
    try {
      maps.set(path, new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8'))))
    } catch {
      maps.set(path, undefined)
    }
  }
  return maps.get(path)
}
