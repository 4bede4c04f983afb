import { t } from '#client/ui/t.ts'

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

/** What a browser is, as people say it: "Firefox, Linux". @param agent its `User-Agent` */
export function deviceText(agent: string): string {
  const named = (table: typeof browsers) => table.find(([pattern]) => pattern.test(agent))?.[1]
  const parts = [named(browsers), named(systems)].filter((part) => part !== undefined)
  if (parts.length > 0) return parts.join(', ')
  return agent === '' ? t('A browser') : (agent.split(/[\s/(]/)[0] ?? agent)
}
