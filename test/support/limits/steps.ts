type Builtin = Record<string, (...given: never[]) => unknown>

const all = (prototype: object, names: string) =>
  names.split(' ').map((name): [Builtin, string] => [prototype as Builtin, name])

/** Each call is a step. */
const single = [
  ...all(Map.prototype, 'get has'),
  ...all(Set.prototype, 'has'),
  ...all(String.prototype, 'charAt charCodeAt codePointAt startsWith endsWith'),
]
/** A step for each item of the list, or sign of the text. */
const throughout = [
  ...all(Array.prototype, 'every filter find findIndex flatMap forEach includes indexOf join map'),
  ...all(Array.prototype, 'some'),
  ...all(String.prototype, 'includes split trim trimEnd trimStart'),
]

interface Sized {
  readonly length: number
}

/** How far a search in a text looks, from a place: to what it finds, or to the end. */
function searched({ length }: Sized, from: number, found: number): number {
  return Math.max(1, (found < 0 ? length : found + 1) - from)
}

/**
 * Counts steps of JavaScript's own lists, maps and texts while something runs: signs that a search
 * looks at, items, look-ups. The same on any machine, and for whatever else runs there; what a
 * regular expression tries at one place, and loops without such calls, are not seen.
 */
export async function stepsOf(act: () => unknown): Promise<number> {
  let steps = 0
  const usual: [Builtin, string, unknown][] = []
  const replace = (
    [prototype, name]: [Builtin, string],
    count: (self: Sized, given: readonly unknown[], result: unknown) => number,
  ) => {
    const method = prototype[name] as (...given: unknown[]) => unknown
    usual.push([prototype, name, method])
    Object.defineProperty(prototype, name, {
      configurable: true,
      writable: true,
      value(this: Sized, ...given: unknown[]) {
        const result = method.apply(this, given)
        steps += count(this, given, result)
        return result
      },
    })
  }
  for (const each of single) replace(each, () => 1)
  for (const each of throughout) replace(each, ({ length }) => length)
  replace([String.prototype as unknown as Builtin, 'indexOf'], (self, [, from], found) =>
    searched(self, Number(from ?? 0), found as number),
  )
  replace([String.prototype as unknown as Builtin, 'lastIndexOf'], ({ length }, [, from], found) =>
    Math.max(1, Math.min(length, Number(from ?? length)) - (found as number)),
  )
  const { exec } = RegExp.prototype
  usual.push([RegExp.prototype as unknown as Builtin, 'exec', exec])
  RegExp.prototype.exec = function (text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const match = exec.call(this, text)
    if (match) steps += match.index + match[0].length + 1 - from
    else steps += this.sticky ? 1 : Math.max(1, text.length - from)
    return match
  }
  try {
    await act()
  } finally {
    for (const [prototype, name, value] of usual) {
      Object.defineProperty(prototype, name, { configurable: true, writable: true, value })
    }
  }
  return steps
}
