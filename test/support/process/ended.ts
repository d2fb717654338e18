/** How a command has ended, in a process of its own or in that of the tests. */
export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  /** From its start to its end. */
  ms: number
}
