/** A secret from standard input: an argument would show it in the list of processes and in the shell's history. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { UsageError } from './command.ts'

/** @param given `-` has it read from standard input @throws UsageError when there is none */
export async function readConnectionString(given: string): Promise<string> {
  return given === '-' ? readSecret('Connection string') : given
}

/** @returns the first line; on a terminal it is asked for and not shown. @throws UsageError when there is none */
export async function readSecret(name: string): Promise<string> {
  const terminal = process.stdin.isTTY === true
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: unseen, terminal })
  lines.on('SIGINT', () => lines.close())
  if (terminal) process.stderr.write(`${name}: `)
  try {
    for await (const line of lines) if (line !== '') return line
    throw new UsageError(`${name}: is read from standard input, which has none.`)
  } finally {
    lines.close()
    if (terminal) process.stderr.write('\n')
  }
}
