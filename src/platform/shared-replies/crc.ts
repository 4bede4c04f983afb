/*
 * CRC-32 as arithmetic: a checksum is a polynomial over GF(2), kept in 32 bits with the coefficient of
 * x^0 in the highest, and appending n bytes to a text multiplies its checksum by x^(8n).
 */

/** The generator without x^32, in this order of bits. @source RFC 1952, section 8 */
const generator = 0xedb88320
const one = 0x80000000

/** The product of two polynomials modulo the generator. */
function multiply(a: number, b: number): number {
  let product = 0
  let shifted = b
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= shifted
    shifted = shifted & 1 ? (shifted >>> 1) ^ generator : shifted >>> 1
  }
  return product >>> 0
}

/** The factor by which appending this many bytes multiplies the checksum of a text. */
export function shiftOf(bytes: number): number {
  let result = one
  // x^8, x^16, x^32 ...: for each binary digit of the number.
  let power = one >>> 8
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = multiply(result, power)
    power = multiply(power, power)
  }
  return result
}

/** The checksum of two texts together. @param shift `shiftOf` the length of the second */
export function joinChecksums(first: number, second: number, shift: number): number {
  return (multiply(shift, first) ^ second) >>> 0
}
