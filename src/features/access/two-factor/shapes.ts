import * as shape from '#platform/shape.ts'

/** A QR code to draw. */
export const qrShape = shape.named('QrCode', {
  size: shape.noted(shape.integer, 'The length of a side.'),
  path: shape.noted(shape.string, 'The dark squares, as the `d` of a path in SVG.'),
})

export const recoveryCodesShape = shape.noted(
  shape.list(shape.string),
  'Each works once, in place of a code from the app.',
)
