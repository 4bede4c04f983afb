/** The input, output and environment of a command. */
export interface Shell {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  out(text: string): void
  err(text: string): void
  /** Whether a person reads what `err` writes: then it may draw and redraw. Default: no. */
  readonly errIsTerminal?: boolean
  /** The environment variables; default: those of the process. */
  readonly env?: NodeJS.ProcessEnv
}
