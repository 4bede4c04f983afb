interface Rules {
  createHTML(html: string): string
  createScriptURL(url: string): string
}

declare global {
  interface Window {
    readonly trustedTypes?: { createPolicy(name: string, rules: Rules): Rules }
  }
}

const workerPath = '/sw.js'

let policy: Rules | undefined

/** The one policy that the page allows. */
function parley(): Rules {
  const rules: Rules = {
    createHTML: (html) => html,
    createScriptURL(url) {
      if (url !== workerPath) throw new TypeError(`${url} is no script of the client.`)
      return url
    },
  }
  policy ??= window.trustedTypes?.createPolicy('parley', rules) ?? rules
  return policy
}

/**
 * Lets HTML become elements. Only for HTML that the server rendered, or that is parsed inertly.
 */
export function trustedHtml(html: string): string {
  return parley().createHTML(html)
}

/** The address of the service worker. */
export function trustedWorker(): string {
  return parley().createScriptURL(workerPath)
}
