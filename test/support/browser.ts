/** One person's browser, without scripts: it keeps cookies, and sends forms as a page has them. */
export interface FormBrowser {
  readonly cookies: Map<string, string>
  /** Opens a path; with a form, sends that. */
  go(path: string, form?: Readonly<Record<string, string>>): Promise<OpenedPage>
  /**
   * Opens a page and sends its form with what a person types.
   *
   * @param action where the form is sent, if not to the page itself
   */
  fill(path: string, typed: Readonly<Record<string, string>>, action?: string): Promise<OpenedPage>
}

interface OpenedPage {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/**
 * @param site the server's origin
 * @param always headers of all requests
 */
export function openBrowser(
  site: string,
  always: Readonly<Record<string, string>> = {},
): FormBrowser {
  const cookies = new Map<string, string>()
  async function go(path: string, form?: Readonly<Record<string, string>>): Promise<OpenedPage> {
    const response = await fetch(new URL(path, site), {
      method: form ? 'POST' : 'GET',
      headers: {
        ...always,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      redirect: 'manual',
      ...(form && { body: new URLSearchParams(form) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return {
    cookies,
    go,
    async fill(path, typed, action = path) {
      return await go(action, { form: sealOf((await go(path)).text), ...typed })
    },
  }
}

/** The hidden field that makes a form one browser's own. */
export function sealOf(page: string): string {
  return /name="form" value="(\w+)"/.exec(page)?.[1] ?? ''
}
