import { parseTemplate } from 'url-template'
import { safeHref } from './hrefs.ts'

/**
 * The names that a URL template has addresses filled in for; undefined if it is not valid RFC 6570,
 * or leads where no link may lead.
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

/** Where a template leads that begins with no scheme depends on what is filled in. */
function mayLead(template: string, names: ReadonlySet<string>): boolean {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(template)) return true
  const values = Object.fromEntries([...names].map((name) => [name, 'x']))
  return safeHref(parseTemplate(template).expand(values), '') !== undefined
}
