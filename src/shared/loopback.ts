/** Whether an address means the computer on which it is opened, so that it leads others nowhere. */
export function isLoopback(link: string): boolean {
  const { hostname } = new URL(link)
  return /^(?:127\.[\d.]+|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]|(?:.+\.)?localhost\.?)$/.test(
    hostname,
  )
}
