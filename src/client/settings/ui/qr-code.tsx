import { t } from '#client/ui/t.ts'

interface QrCodeProps {
  /** The modules of a side. */
  readonly size: number
  /** Its dark modules, as the path of an SVG. */
  readonly path: string
}

export function QrCode({ size, path }: QrCodeProps) {
  return (
    <svg class="qr-code" role="img" aria-label={t('QR code')} viewBox={`0 0 ${size} ${size}`}>
      <path class="qr-ground" d={`M0 0h${size}v${size}h-${size}z`} />
      <path d={path} />
    </svg>
  )
}
