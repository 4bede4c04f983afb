/** The path where a log-in with the account of a provider begins. Apps append their parameters. */
export const logInPathOf = (id: string) => `/accounts/login/social/oidc/${id}`

/** The path where someone without an account begins. */
export const signUpPathOf = (id: string) => `/accounts/register/social/oidc/${id}`

/** The path to which a provider sends people back. */
export const callbackPathOf = (id: string) => `/complete/oidc/${id}/`

/** The path where someone who has logged out can also log out at the provider. */
export const logOutPathOf = (id: string) => `/accounts/logout/social/oidc/${id}`
