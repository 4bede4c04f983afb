import { withoutEnd } from '#shared/without-end.ts'
/** The parts of an address such as `https://user:password@cloud.example.com/path`. */
export function splitAddress(address: string) {
  const { origin, pathname, username, password } = new URL(address)
  return {
    base: origin + withoutEnd(pathname, '/'),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  }
}
