import { evaluate } from './evaluate.ts'

/** What gives a source when it is wanted, by the name of the part. */
type Sources = Readonly<Record<string, () => string>>
/** What gives a module of the program itself, by the name that parts have for it. */
type Modules = Readonly<Record<string, () => unknown>>

/**
 * Creates what loads the parts of the program, each once, when it is first needed.
 *
 * @param sources those of parts, as `evaluate` takes them
 * @param core the modules of the program that parts use, which they have in common with it
 * @param require what loads modules of Node
 */
export function createParts(
  sources: Sources,
  core: Modules,
  require: NodeJS.Require,
): (name: string) => unknown {
  const loaded = new Map<string, unknown>()
  const found = (id: string) =>
    id.startsWith('./') ? load(id.slice(2)) : (core[id]?.() ?? require(id))
  function load(name: string): unknown {
    if (!loaded.has(name)) {
      const source = sources[name]?.() ?? ''
      loaded.set(name, evaluate(source, name, found as NodeJS.Require).exports)
    }
    return loaded.get(name)
  }
  return load
}
