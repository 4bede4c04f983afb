import type { Bounds } from '#platform/http/bounds.ts'
import type { Param } from '#platform/http/params.ts'

/** A megabyte is enough for any text here: none may be that long. */
const shortened = [1_000_000, 100_000, 10_000, 1000, 100, 10, 1]

/** How long the JSON of a full value is. */
function lengthOf({ text, list, object }: Bounds, longest: number): number {
  if (list) return list.most * (lengthOf(list.item, longest) + 1) + 2
  if (!object) return text === undefined ? 8 : Math.min(text, longest) + 2
  const { members, others } = object
  const own = Object.entries(members).map(([key, inner]) => key.length + lengthOf(inner, longest))
  const rest = others ? others.most * (lengthOf(others.value, longest) + others.key) : 0
  return own.reduce((sum, one) => sum + one + 4, rest) + 2
}

/**
 * The JSON of a value with as many items and members as the bounds let through, or `factor` times as
 * many, and texts of this length. Made as text, because the value itself would be garbage at once.
 */
function fullJson({ text, list, object }: Bounds, longest: number, factor = 1): string {
  if (list)
    return `[${Array(factor * list.most)
      .fill(fullJson(list.item, longest))
      .join()}]`
  if (object) {
    const { members, others } = object
    const pairs = Object.entries(members).map(
      ([key, inner]) => `"${key}":${fullJson(inner, longest)}`,
    )
    const other = others ? `":${fullJson(others.value, longest)}` : ''
    for (let i = 0; i < factor * (others?.most ?? 0); i++) {
      pairs.push(`"${String(i).padStart(others?.key ?? 0, 'k')}${other}`)
    }
    return `{${pairs.join()}}`
  }
  return text === undefined ? '1' : `"${'x'.repeat(factor * Math.min(text, longest))}"`
}

/** Many parameters are declared alike, and their values are long: each is made once. */
function remembered(make: (param: Param<unknown>) => string): (param: Param<unknown>) => string {
  const made = new Map<string, string>()
  return (param) => {
    const key = JSON.stringify([param.encoding === 'json', param.bounds, param.size])
    const value = made.get(key) ?? make(param)
    made.set(key, value)
    return value
  }
}

/** Whether a value is a text as it stands. */
const isBare = ({ encoding }: Param<unknown>) => encoding === 'text' || encoding === 'word'

/** The largest value that a request can carry as this parameter, whatever it means. */
export const atLimit = remembered((param) => {
  const { bounds, size } = param
  if (isBare(param)) return 'x'.repeat(bounds.text ?? 1)
  const longest =
    shortened.find((one) => lengthOf(bounds, one) <= Math.min(size.json, 350_000)) ?? 1
  const source = fullJson(bounds, longest)
  return source.length <= size.json ? source : `[${'1,'.repeat(size.json / 2 - 2)}1]`
})

/** Ten times as long, or with ten times as many items or members. */
export const beyondLimit = remembered((param) => {
  const { bounds, size } = param
  if (isBare(param)) return 'x'.repeat(10 * (bounds.text ?? 100))
  if (bounds.list || bounds.object?.others) return fullJson(bounds, 1, 10)
  return fullJson(bounds, 1).padEnd(Math.min(10 * size.json, 2_000_000))
})
