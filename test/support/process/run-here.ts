/** Runs the command line in this process: what it writes is collected, and nothing of the process is read. */
import { Readable, Writable } from 'node:stream'
import { runTenantry } from '../../../src/cli/tenantry.ts'
import type { OutputStream } from '../../../src/core/log/standard-output.ts'
import type { Ended } from './ended.ts'

export interface CommandSurroundings {
  environment: Record<string, string>
  /** The working folder. */
  folder: string
  /** Standard input, which then ends. */
  input?: string
  /** Instead of standard output, which is collected. */
  output?: OutputStream
}

export async function runHere(
  words: readonly string[],
  { environment, folder, input = '', output }: CommandSurroundings,
): Promise<Ended> {
  const began = performance.now()
  const [collected, errors] = [new CollectedText(), new CollectedText()]
  const streams = { input: Readable.from([input]), output: output ?? collected, errors }
  const code = await runTenantry(words, { environment, folder, ...streams })
  return { code, signal: null, stdout: collected.text, stderr: errors.text, ms: performance.now() - began }
}

class CollectedText extends Writable {
  text = ''

  constructor() {
    super({ decodeStrings: false })
  }

  override _write(text: string, _encoding: BufferEncoding, done: () => void): void {
    this.text += text
    done()
  }
}
