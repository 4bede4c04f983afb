/** The members of replies and events whose values grant access: keys, tokens and links. */
const secretMember =
  /"(?:api_key|token|config_data|secret|uri|recovery_codes|invite_link|link_url|export_url|signing_secret)":/

/**
 * Whether JSON text must stay uncompressed. Anyone who can see how long encrypted replies are, and
 * whose text is in them, could otherwise guess a secret beside that text letter by letter. JSON
 * escapes quotes inside strings, so only members count.
 *
 * @source "BREACH: Reviving the CRIME attack", section 2
 */
export function holdsSecret(json: string): boolean {
  return secretMember.test(json)
}
