export function unicodeNames(): Record<string, readonly string[] | undefined>
