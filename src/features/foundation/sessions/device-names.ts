const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/**
 * The name of a browser or app for people: "Firefox, Linux".
 *
 * @param agent its `User-Agent`; anything that a client sends
 */
export function deviceName(agent: string): string {
  const named = (table: typeof browsers) => table.find(([pattern]) => pattern.test(agent))?.[1]
  const program = named(browsers) ?? agent.split(/[\s/(]/)[0]
  return [program, named(systems)].filter(Boolean).join(', ')
}
