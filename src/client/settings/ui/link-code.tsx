import { encode } from 'uqr'
import { isLoopback } from '#shared/loopback.ts'
import { QrCode } from './qr-code.tsx'

/** A link for the camera of a phone; nothing if it would lead the phone nowhere. */
export function LinkCode({ link }: { readonly link: string }) {
  if (isLoopback(link)) return null
  const { size, data } = encode(link, { ecc: 'M', border: 2 })
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
  )
  return <QrCode size={size} path={dark.join('')} />
}
