/** Runs the command line in a process of its own, on the database of a service that may be running. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Config } from '../../../src/core/settings/config.ts'

export interface Outcome {
  code: number
  stdout: string
  stderr: string
  ms: number
}

const entry = resolve(import.meta.dirname, '../../../bin/tenantry.js')

/** @param settings that differ from the service's own */
export async function tenantry(
  words: string[],
  { config }: { config: Config },
  settings: Record<string, string> = {},
): Promise<Outcome> {
  const began = performance.now()
  const child = spawn(process.execPath, [entry, ...words], {
    cwd: config.dataDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      DATA_DIR: config.dataDir,
      DATABASE_URL: config.databaseUrl,
      MASTER_KEY: Buffer.from(config.masterKey).toString('base64'),
      PORT: '0',
      ...settings,
    },
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, stdout, stderr, ms: performance.now() - began }
}
