/** Currencies without a smaller unit. */
const undivided = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))

/** An amount in words: `$12.00`, `12.00 EUR`. @param minor in the smallest unit of the currency */
export function moneyText(minor: number, currency: string): string {
  const code = currency.toLowerCase()
  const amount = undivided.has(code) ? String(minor) : (minor / 100).toFixed(2)
  const known = /^[a-z]{3}$/.test(code) ? code.toUpperCase() : ''
  return code === 'usd' ? `$${amount}` : `${amount} ${known}`.trim()
}
