/** What a command line is connected to. */
export interface Shell {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  out(text: string): void
  err(text: string): void
  /** The environment's variables, where they are not the process's own. */
  readonly env?: NodeJS.ProcessEnv
}
