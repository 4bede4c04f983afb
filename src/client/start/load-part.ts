/** What a script imports, as the build writes it. */
const imports = /\b(?:import|from)"(\.\/[^"]+)"/g

/** What each script imports that was fetched, or is being fetched. */
const fetched = new Map<string, Promise<readonly string[]>>()

/**
 * Loads a part of the program once the browser has all files that it needs. Many browsers never ask
 * again for a module that they could not fetch (Chromium before 156, Safari 26), so without a
 * network none may be asked for. The build makes every `import()` of the program a call of this
 * (`features/web/web-client/merging.ts`).
 *
 * @param path of its file, from this one's
 */
export async function loadPart(path: string): Promise<unknown> {
  const paths = new Set([path])
  // What all of the last ones import, as browsers do it.
  for (let last = [path]; last.length > 0; ) {
    const found = (await Promise.all(last.map(fetchScript))).flat()
    last = [...new Set(found)].filter((each) => !paths.has(each))
    for (const each of last) paths.add(each)
  }
  return await import(path)
}

/** @returns what it imports */
function fetchScript(path: string): Promise<readonly string[]> {
  const known = fetched.get(path)
  if (known) return known
  const found = read(path)
  fetched.set(path, found)
  found.catch(() => fetched.delete(path))
  return found
}

async function read(path: string): Promise<readonly string[]> {
  // The page itself has named it, and it runs.
  if (document.querySelector(`[rel=modulepreload][href$="${path.slice(1)}"]`)) return []
  const response = await fetch(new URL(path, import.meta.url))
  if (!response.ok) throw new Error(`${response.status}: ${path}`)
  return [...(await response.text()).matchAll(imports)].map(([, each = '']) => each)
}
