/** The domains of services for disposable email addresses. */
export function disposableDomains(): ReadonlySet<string>
