import { parseTemplate } from 'url-template'
import { safeHref } from './hrefs.ts'

/**
 * The variable names in a URL template; undefined if it is not valid RFC 6570, or its scheme is
 * not allowed.
 */
export function namesInTemplate(template: string): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  const rest = template.replace(/\{[+#./;?&]?([^{}]*)\}/g, (_, list: string) => {
    for (const name of list.split(',')) names.add(name.replace(/(?:\*|:\d{1,4})$/, ''))
    return ''
  })
  const valid = !/[{}]/.test(rest) && [...names].every((name) => /^[A-Za-z_]\w*$/.test(name))
  return valid && mayLead(template, names) ? names : undefined
}

/** Without a fixed scheme the URL depends on the values, so it is checked after expansion. */
function mayLead(template: string, names: ReadonlySet<string>): boolean {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(template)) return true
  const values = Object.fromEntries([...names].map((name) => [name, 'x']))
  return safeHref(parseTemplate(template).expand(values), '') !== undefined
}
