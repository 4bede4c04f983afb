/** The input, output and environment of a command. */
export interface Shell {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  out(text: string): void
  err(text: string): void
  /** The environment variables; default: those of the process. */
  readonly env?: NodeJS.ProcessEnv
}
