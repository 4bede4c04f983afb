/** Lets the browser save a text as a file. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Not before the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** The configuration file with which bots and terminal clients log in. */
export function zuliprc(email: string, key: string): string {
  return `[api]\nemail=${email}\nkey=${key}\nsite=${location.origin}\n`
}
