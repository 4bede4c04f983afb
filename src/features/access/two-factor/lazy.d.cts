export function otpauth(): typeof import('otpauth')
export function qrCodes(): typeof import('uqr')
