/** Runs the command line in this process: what it writes is collected, and nothing of the process is read. */
import { Readable, Writable } from 'node:stream'
import { runTenantry } from '../../../src/cli/tenantry.ts'
import type { Ended } from './ended.ts'

export interface CommandSurroundings {
  environment: Record<string, string>
  /** The working folder. */
  folder: string
  /** Standard input, which then ends. */
  input?: string
}

export async function runHere(
  words: readonly string[],
  { environment, folder, input = '' }: CommandSurroundings,
): Promise<Ended> {
  const began = performance.now()
  const [output, errors] = [new CollectedText(), new CollectedText()]
  const surroundings = { environment, folder, input: Readable.from([input]), output, errors }
  const code = await runTenantry(words, surroundings)
  return { code, signal: null, stdout: output.text, stderr: errors.text, ms: performance.now() - began }
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
