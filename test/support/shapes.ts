/**
 * What a value must look like. A word names a simple form, `?` after it allows null; an object
 * lists members, those ending in `?` may be absent and `*` stands for all that are not listed; a
 * list of one shape is an array of such items; a list of words that start with `=` is an enum.
 */
export type Shape = string | readonly [Shape] | { readonly [member: string]: Shape }

/** Every place where a value differs from its shape, in words; empty when it fits. */
export function misfits(value: unknown, shape: Shape, path = ''): string[] {
  if (typeof shape === 'string') return misfitsWord(value, shape, path)
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${path}: no array`]
    const [item] = shape as readonly [Shape]
    return value.flatMap((each, i) => misfits(each, item, `${path}[${i}]`))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [`${path}: no object`]
  }
  return misfitsMembers(value as Record<string, unknown>, shape as Record<string, Shape>, path)
}

function misfitsMembers(
  value: Record<string, unknown>,
  shape: Record<string, Shape>,
  path: string,
): string[] {
  const listed = new Set(Object.keys(shape).map((key) => key.replace(/\?$/, '')))
  const found = Object.entries(shape).flatMap(([key, inner]) => {
    if (key === '*') return []
    const name = key.replace(/\?$/, '')
    if (Object.hasOwn(value, name)) return misfits(value[name], inner, `${path}.${name}`)
    return key.endsWith('?') ? [] : [`${path}.${name}: missing`]
  })
  const rest = shape['*']
  if (rest === undefined) return found
  const others = Object.entries(value).filter(([name]) => !listed.has(name))
  return [...found, ...others.flatMap(([name, each]) => misfits(each, rest, `${path}.${name}`))]
}

const isCount = (value: unknown) => Number.isSafeInteger(value)
const isText = (value: unknown): value is string => typeof value === 'string'

const words: Record<string, (value: unknown) => boolean> = {
  any: () => true,
  bool: (value) => typeof value === 'boolean',
  int: isCount,
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  str: isText,
  color: (value) => isText(value) && /^#([0-9a-f]{3}|[0-9a-f]{6})$/.test(value),
  date: (value) => isText(value) && !Number.isNaN(Date.parse(value)),
  json: (value) => isText(value) && (value === '' || parses(value)),
  /** Absolute, or below the organization's address. */
  url: (value) => isText(value) && URL.canParse(value, 'http://example.org') && value !== '',
  /** A group-setting value. */
  group: (value) =>
    isCount(value) ||
    misfits(value, { direct_members: ['int'], direct_subgroups: ['int'] }).length === 0,
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function misfitsWord(value: unknown, shape: string, path: string): string[] {
  if (shape.startsWith('=')) {
    const allowed = shape.slice(1).split('|')
    return allowed.includes(String(value)) ? [] : [`${path}: ${value} is none of ${allowed}`]
  }
  const nullable = shape.endsWith('?')
  if (value === null) return nullable ? [] : [`${path}: null`]
  const word = nullable ? shape.slice(0, -1) : shape
  const fits = words[word]
  if (!fits) throw new Error(`There is no form '${word}'.`)
  return fits(value) ? [] : [`${path}: ${JSON.stringify(value)} is no ${word}`]
}
